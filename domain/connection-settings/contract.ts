import type { Static } from 'typebox'
import * as Type from 'typebox'
import { Id, Name, Nullable, Text } from '#domain/contract.ts'
import { defaultHours, Schedules } from '#domain/hours/contract.ts'
import { Channel } from '#domain/ticket/contract.ts'

const text = Nullable(Text(5000))
/** Minutes; 0: off; at most a year. */
const minutes = Type.Integer({ minimum: 0, maximum: 525_600, default: 0 })
const times = Type.Integer({ minimum: 1, maximum: 99, default: 3 })
const Day = Nullable(Type.String({ format: 'date' }))
const AnyMoment = Nullable(Type.String({ format: 'date-time' }))

/** The settings of a connection: its texts and its automatic actions. */
export const connectionFields = {
  name: Name(50, 2), // R-CONN-04
  channel: Channel,
  provider: Type.String({ pattern: '^[a-z]{1,20}$', default: 'beta' }),
  isDefault: Type.Boolean({ default: false }),
  allowGroup: Type.Boolean({ default: false }),
  groupAsTicket: Type.Enum(['enabled', 'disabled'], { default: 'disabled' }),
  color: Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
  /** Whether lists and buttons are sent as such. Disabled: they are sent as text, which every phone shows. */
  interactiveMessages: Type.Enum(['enabled', 'disabled'], { default: 'enabled' }),

  greetingMessage: text,
  complationMessage: text,
  outOfHoursMessage: text,
  ratingMessage: text,
  collectiveVacationMessage: text,
  collectiveVacationStart: Day,
  collectiveVacationEnd: Day,
  lgpdLink: Nullable(Type.String({ maxLength: 500, pattern: '^(https?://\\S+)?$' })),
  lgpdMessage: text,

  maxUseBotQueues: times,
  timeUseBotQueues: minutes,
  sendIdQueue: Nullable(Id),
  /** Minutes, published as text. */
  timeSendQueue: Type.String({ pattern: '^[0-9]{0,6}$', default: '0' }),
  expiresTicket: minutes,
  /** The message from which the expiry counts: '0': the last of either side, '1': only an unanswered one of ours (A-EXP-02). */
  whenExpiresTicket: Type.Enum(['0', '1'], { default: '1' }),
  expiresInactiveMessage: text,
  timeInactiveMessage: minutes,
  inactiveMessage: text,
  timeCreateNewTicket: minutes,
  expiresTicketNPS: minutes,
  maxUseBotQueuesNPS: times,

  integrationId: Nullable(Id),
  promptId: Nullable(Id),
  flowIdWelcome: Nullable(Id),
  flowIdNotPhrase: Nullable(Id),
  schedules: { ...Schedules, default: defaultHours.connection },

  enableImportMessage: Type.Boolean({ default: false }),
  importRecentMessages: AnyMoment,
  importOldMessages: AnyMoment,
  importOldMessagesGroups: Type.Boolean({ default: false }),
  closedTicketsPostImported: Type.Boolean({ default: false }),
  queueIdImportMessages: Nullable(Id),
}
const Fields = Type.Object(connectionFields)
export type ConnectionFields = Static<typeof Fields>
