/**
 * Every error code with its HTTP status; the texts are in domain/<module>/errors.ts.
 * A suffix after a slash separates two cases of one code that have different statuses.
 */
export const errors = {
  ERR_SESSION_EXPIRED: 403, // A-AUTH-02: the access token expired; the client refreshes once and retries
  'ERR_SESSION_EXPIRED/ended': 401, // A-AUTH-02: the session ended; the client signs out
  ERR_INVALID_CREDENTIALS: 401,
  'ERR_INVALID_CREDENTIALS/tooMany': 429, // A-AUTH-12
  ERR_PASSWORD_LINK: 400, // A-USER-04
  ERR_RESET_TOKEN: 400, // A-AUTH-09
  ERR_OUT_OF_HOURS: 400, // A-AUTH-08: not 401, because a 401 signs the client out
  ERR_SUBSCRIPTION_EXPIRED: 402, // A-AUTH-06
  ERR_NO_PERMISSION: 403,
  'ERR_NO_PERMISSION/company': 401, // A-AUTH-07
  'ERR_NO_PERMISSION/queue': 400, // A-TRANSFER-05
  ERR_NO_PLAN: 403,
  ERR_USER_CREATION_DISABLED: 403,

  ERR_INVALID_INPUT: 400,
  ERR_INVALID_RANGE: 400,
  ERR_FUTURE_MOMENT: 400, // A-PAST-01
  ERR_WAITING_LIMITS: 400,
  'ERR_INVALID_INPUT/ticket': 400, // A-MSG-05
  ERR_NOT_FOUND: 404,
  ERR_TOO_LARGE: 413,
  ERR_TOO_SLOW: 408,
  ERR_UNSUPPORTED_MEDIA: 415,
  ERR_UPLOAD_QUOTA: 413, // A-PLAN-01
  ERR_TOO_MANY_REQUESTS: 429,

  ERR_NO_TICKET_FOUND: 404,
  ERR_NO_CONTACT_FOUND: 404,
  ERR_NO_USER_FOUND: 404,
  ERR_NO_QUEUE_FOUND: 404,
  ERR_NO_CHATBOT_FOUND: 404,
  ERR_NO_TAG_FOUND: 404,
  ERR_NO_QUICK_MESSAGE_FOUND: 404,
  ERR_NO_FILE_LIST_FOUND: 404,
  ERR_NO_REPORT_FILTER_FOUND: 404,
  ERR_NO_DATA_REQUEST_FOUND: 404,
  ERR_DATA_REQUEST_GROUP: 400,
  ERR_ERASURE_NAME: 400,
  ERR_NO_NOTE_FOUND: 404,
  ERR_NO_WAPP_FOUND: 404,
  ERR_NO_SETTING_FOUND: 404,
  ERR_NO_MEDIA_FOUND: 404,
  ERR_FETCH_WAPP_MSG: 404,

  ERR_OTHER_OPEN_TICKET: 409,
  ERR_QUEUE_REQUIRED: 400,
  ERR_TAG_REQUIRED: 400, // A-TICKET-09
  ERR_RATING_REQUIRED: 400, // A-NPS-01
  ERR_TICKET_NOT_OPEN: 400,
  ERR_UNDO_GONE: 409, // A-TICKET-07
  ERR_TICKET_CONNECTION_GONE: 409, // A-CONN-06
  ERR_TICKET_CHANGED: 409, // another agent answered after the agent's last look
  ERR_CREATING_TICKET: 400,
  ERR_CREATING_MESSAGE: 400,
  ERR_SENDING_WAPP_MSG: 400, // A-TICKET-21
  ERR_DELETE_WAPP_MSG: 400,
  ERR_MESSAGE_TOO_OLD: 400, // A-MSG-03
  ERR_DUPLICATED_CONTACT: 409,
  ERR_MERGE_SELF: 400, // A-MERGE-01
  ERR_MERGE_GROUP: 400,
  ERR_MERGE_ACTIVE_TICKETS: 409,
  ERR_MERGED_FURTHER: 409,
  ERR_DUPLICATED_NAME: 409,
  ERR_SHORTCODE_SPACES: 400, // R-QUICK-01
  ERR_ROW_CHANGED: 409, // another user changed the row after it was read
  ERR_COMMAND_REUSED: 409, // the command id belongs to another command
  ERR_QUEUE_COLOR_ALREADY_EXISTS: 409,
  ERR_QUEUE_IN_USE: 409, // A-QUEUE-01
  ERR_LANE_IN_USE: 409, // A-LANE-01
  ERR_OWN_LANE: 400, // A-LANE-01
  ERR_OPTION_OWN_QUEUE: 400,
  ERR_OPTION_TWICE: 400,
  ERR_OPTIONS_TOO_MANY: 400,
  ERR_OPTION_LOOP: 400,
  ERR_FILE_LIST_IN_USE: 409,
  ERR_REPORT_FILTERS_TOO_MANY: 400,
  ERR_SEARCH_TOO_SHORT: 400,
  ERR_REPORT_MAIL_RECIPIENT: 400,
  ERR_WAPP_IN_USE: 409,
  ERR_FILE_LIST_MEDIA: 415, // R-FILE-02
  ERR_PLAN_USERS: 400, // A-PLAN-01
  ERR_PLAN_CONNECTIONS: 400,
  ERR_PLAN_QUEUES: 400,
  ERR_DUPLICATED_EMAIL: 409, // A-USER-01
  ERR_OWN_USER: 400, // A-USER-01
  ERR_LAST_ADMIN: 409, // A-USER-01
  ERR_WRONG_PASSWORD: 400, // not 401, because a 401 signs the client out
  ERR_WEAK_PASSWORD: 400,
  ERR_SHORT_PASSWORD: 400, // of an admin (A-AUTH-10)
  ERR_MAIL_NOT_SET: 400,
  ERR_MAIL_NO_HOST: 400,
  ERR_MAIL_UNREACHABLE: 400,
  ERR_MAIL_TLS: 400,
  ERR_MAIL_SIGN_IN: 400, // carries the mail server's error
  ERR_MAIL_FAILED: 400, // carries the mail server's error
  ERR_WAPP_GREETING_REQUIRED: 400,
  ERR_REAL_CONNECTION: 409, // the clock cannot be moved while a real connection exists
  ERR_NO_OTHER_WHATSAPP: 400,
  ERR_NO_DEF_WAPP_FOUND: 404,
  ERR_WAPP_NOT_INITIALIZED: 400,
  ERR_WAPP_CHECK_CONTACT: 400,
  ERR_WAPP_INVALID_CONTACT: 400,
  ERR_IMPORT_NAME: 400, // R-CIMPORT-03
  ERR_IMPORT_NUMBER: 400, // R-CIMPORT-03
  ERR_IMPORT_SHORTENED: 400, // A-IMP-06
  ERR_IMPORT_EMAIL: 400,
  ERR_CONTACT_FIELD: 400,
  ERR_IMPORT_EXTRA: 400,
  ERR_IMPORT_NO_PHONE: 400,
  ERR_IMPORT_TAG: 400,
  ERR_IMPORT_TEXT: 400,
  ERR_IMPORT_REPEATED: 400,
  ERR_IMPORT_FILE: 400, // R-CIMPORT-04
  ERR_IMPORT_ROWS: 413,
  ERR_IMPORT_COLUMNS: 413,
  ERR_IMPORT_EMPTY: 400, // R-CIMPORT-02
  ERR_IMPORT_PHONE: 409,
  ERR_IMPORT_NO_ROWS: 400,
  ERR_IMPORT_NUMBER_FIELD: 400, // R-CIMPORT-01
  ERR_IMPORT_NAME_FIELD: 400, // R-CIMPORT-01
  ERR_IMPORT_FIELD_TWICE: 400, // R-CIMPORT-02
  ERR_IMPORT_BEGUN: 409,
  ERR_IMPORT_CHECKING: 409,
  ERR_OTHER_CHANNEL: 400, // a contact can be reached on its own network only
  ERR_WAPP_DOWNLOAD_MEDIA: 400,
  ERR_WINDOW_CLOSED: 400, // R-MSG-16
  ERR_SENT_IN_PART: 400,
  ERR_UPLOAD_INCOMPLETE: 409, // A-UPLOAD-01
  ERR_NUMBER_CHANGED: 400,
  ERR_CONTACT_UNREACHABLE: 400,
  ERR_TEMPLATE_REFUSED: 400,
  ERR_TEMPLATE_MEDIA: 400,
  ERR_TEMPLATE_GONE: 404,
  ERR_TEMPLATE_PAUSED: 400,
  ERR_TEMPLATE_FIELDS: 400,
  ERR_CHANNEL_CANNOT: 400, // the channel does not support this
  ERR_CHANNEL_LIMITED: 429,
  ERR_CHANNEL_AWAY: 400,
  ERR_CHANNEL_TOKEN: 400, // not 401, because a 401 signs the client out
  ERR_CHANNEL_FORBIDDEN: 400,
  ERR_CHANNEL_UNREGISTERED: 400,
  ERR_CHANNEL_ELSEWHERE: 400,
  ERR_CHANNEL_ACCOUNT: 400,
  ERR_CHANNEL_PIN: 400,
  ERR_CHANNEL_PIN_LATER: 429,
  ERR_CHANNEL_TAKEN: 409,
  ERR_META_NOT_SET: 400,
  ERR_META_LOGIN: 400,
  ERR_WEBHOOK_SIGNATURE: 403,

  ERR_BUSY: 503, // too many concurrent writes to one ticket; the client may retry
  ERR_DISK_FULL: 503, // no file can be stored (A-READY-01)
  ERR_UNAVAILABLE: 503, // a store does not answer
  ERR_INTERNAL: 500,
} as const satisfies Record<`ERR_${string}`, number>

export type Case = keyof typeof errors
type CodeOf<C extends string> = C extends `${infer Code}/${string}` ? Code : C
export type ErrorCode = CodeOf<Case>

/** One text per language: pt-BR, en, es, tr. */
export type Texts = readonly [pt: string, en: string, es: string, tr: string]
export type ErrorTexts = Partial<Record<ErrorCode, Texts>>

export class Refusal extends Error {
  readonly which: Case
  readonly code: ErrorCode
  readonly status: number
  /** Names and ids that the client needs to react; never message content. */
  readonly detail: Record<string, unknown>
  constructor(which: Case, detail: Record<string, unknown> = {}) {
    super(which)
    this.which = which
    this.code = which.split('/')[0] as ErrorCode
    this.status = errors[which]
    this.detail = detail
  }
}

export function refuse(which: Case, detail?: Record<string, unknown>): never {
  throw new Refusal(which, detail)
}
