import type { Static } from 'typebox'
import * as Type from 'typebox'
import { signedIn } from '#domain/access.ts'
import { get, Id, Moment, Name, Nullable, Text, topic } from '#domain/contract.ts'
import { defaultHours, Schedules } from '#domain/hours/contract.ts'
import { Channel } from '#domain/ticket/contract.ts'

const text = Nullable(Text(5000))
/** Minutes, 0 where nothing is waited for; at most a year. */
const minutes = Type.Integer({ minimum: 0, maximum: 525_600, default: 0 })
const times = Type.Integer({ minimum: 1, maximum: 99, default: 3 })
const Day = Nullable(Type.String({ format: 'date' }))

/** What is set of a connection: what it says, and what it does by itself. */
export const connectionFields = {
  name: Name(50, 2), // R-CONN-04
  channel: Channel,
  provider: Type.String({ pattern: '^[a-z]{1,20}$', default: 'beta' }),
  isDefault: Type.Boolean({ default: false }),
  allowGroup: Type.Boolean({ default: false }),
  groupAsTicket: Type.Enum(['enabled', 'disabled'], { default: 'disabled' }),
  color: Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),

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
  /** Minutes as text; published so. */
  timeSendQueue: Type.String({ pattern: '^[0-9]{0,6}$', default: '0' }),
  expiresTicket: minutes,
  /** Whose message the time to the end counts from: '0' anybody’s, '1' ours alone (A-EXP-02). */
  whenExpiresTicket: Type.Enum(['0', '1'], { default: '0' }),
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
  importRecentMessages: Nullable(Type.String({ format: 'date-time' })),
  importOldMessages: Nullable(Type.String({ format: 'date-time' })),
  importOldMessagesGroups: Type.Boolean({ default: false }),
  closedTicketsPostImported: Type.Boolean({ default: false }),
  queueIdImportMessages: Nullable(Id),
}
const Fields = Type.Object(connectionFields)
export type ConnectionFields = Static<typeof Fields>

/** A company's number or page on a channel; published as whatsapp. */
export const ConnectionRow = Type.Object({
  id: Id,
  companyId: Id,
  name: Type.String(),
  channel: Channel,
  provider: Type.String(),
  number: Nullable(Type.String()),
  status: Type.Enum(['qrcode', 'OPENING', 'CONNECTED', 'DISCONNECTED', 'PAIRING', 'TIMEOUT']),
  isDefault: Type.Boolean(),
  allowGroup: Type.Boolean(),
  groupAsTicket: Type.Enum(['enabled', 'disabled']),
  color: Nullable(Type.String()),
  updatedAt: Moment,
})
export type ConnectionRow = Static<typeof ConnectionRow>

export const connections = {
  list: get('/whatsapp', {
    may: signedIn,
    says: 'The company’s numbers and pages.',
    query: Type.Object({ companyId: Type.Optional(Id), session: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })) }),
    answer: Type.Array(ConnectionRow),
  }),
}
export const connectionTopic = topic<ConnectionRow>('whatsapp', 'whatsapp', () => true)
