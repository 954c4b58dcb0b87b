import type { Static } from 'typebox'
import * as Type from 'typebox'
import { mayConnect, signedIn, superAdmin } from '#domain/access.ts'
import { WorkRow } from '#domain/bulk-operation/contract.ts'
import { loginProducts } from '#domain/channel/channels.ts'
import { connectionFields } from '#domain/connection-settings/contract.ts'
import { numberSigns } from '#domain/contact/rules.ts'
import { del, fileShown, get, Id, Moment, Nullable, post, put, RelatedIds, resource, Text, version } from '#domain/contract.ts'
import { CloudAccount, CloudChange, ShownAccount } from '#domain/meta/contract.ts'
import { Channel } from '#domain/ticket/contract.ts'

const names = Type.Array(Type.String())
/** The import of messages from before the link (A-IMP-04): its status, and how many of how many conversations are done. */
const imported = {
  /**
   * null: no import; a time: when the phone last sent old messages; `Running`;
   * `renderButtonCloseTickets`: done, and imported tickets are still waiting.
   */
  statusImportMessages: Nullable(Type.String()),
  importDone: Type.Integer(),
  importAll: Type.Integer(),
}
const Status = Type.Enum(['qrcode', 'OPENING', 'CONNECTED', 'DISCONNECTED', 'PAIRING', 'TIMEOUT'])

/** A company's number or page on a channel, with the fields that every user may see; published as whatsapp. */
export const ConnectionRow = Type.Object({
  id: Id,
  companyId: Id,
  name: Type.String(),
  channel: Channel,
  provider: Type.String(),
  number: Nullable(Type.String()),
  status: Status,
  /** Why the connection is down, as a provider code; null: it is up, or a user disconnected it. */
  reason: Nullable(Type.String()),
  /** Since when the provider has sent nothing although the connection seems up; null: the provider answers. */
  silentSince: Nullable(Moment),
  /** Since when no worker process has served the connection; null: a worker serves it. `status` is the last state that a worker stored. */
  unleasedSince: Nullable(Moment),
  /** When the channel's authorization expires; null: never, or unknown. */
  tokenExpiresAt: Nullable(Moment),
  /** The gap before a recent relink: messages from this period may exist on the phone only. */
  missedFrom: Nullable(Moment),
  missedTo: Nullable(Moment),
  /** Until when the channel blocks new conversations of this number; answers are still allowed. */
  noNewChatsUntil: Nullable(Moment),
  /** A setup step that is missing at the channel. `webhook`: without the webhook address the channel sends nothing. */
  todo: Nullable(Type.Enum(['webhook'])),
  ...imported,
  /** Whether its tickets can enter a queue: it has queues or a redirect queue. */
  hasQueues: Type.Boolean(),
  isDefault: Type.Boolean(),
  allowGroup: Type.Boolean(),
  groupAsTicket: Type.Enum(['enabled', 'disabled']),
  /** Whether interactive messages are sent as such, not as text. */
  interactiveMessages: Type.Enum(['enabled', 'disabled']),
  color: Nullable(Type.String()),
  updatedAt: Moment,
})
export type ConnectionRow = Static<typeof ConnectionRow>

const queueThere = { table: 'queue', missing: 'ERR_NO_QUEUE_FOUND', among: { retiredAt: null } } as const
export const connection = resource('/whatsapp', {
  list: 'connections',
  table: 'connection',
  one: 'a connection',
  missing: 'ERR_NO_WAPP_FOUND',
  fields: { ...connectionFields, queueIds: RelatedIds(200) },
  readOnly: {
    number: Nullable(Type.String()),
    status: Status,
    reason: Nullable(Type.String()),
    silentSince: Nullable(Moment),
    unleasedSince: Nullable(Moment),
    /** The QR code that links the phone; empty if there is none. */
    qrcode: Type.String(),
    ...imported,
    updatedAt: Moment,
    queues: Type.Array(Type.Object({ id: Id, name: Type.String(), color: Type.String() })),
    ...fileShown,
  },
  file: true,
  related: {
    queueIds: {
      ...queueThere,
      ...{
        through: 'connectionQueue',
        mine: 'connectionId',
        theirs: 'queueId',
        as: 'queues',
        columns: ['name', 'color'],
        order: 'orderQueue',
      },
    },
    sendIdQueue: queueThere,
    queueIdImportMessages: queueThere,
  },
  masked: ['token' as never, 'qrcode' as never, 'pairing' as never],
  search: ['name'],
  read: mayConnect,
  write: mayConnect,
})

/** The token with which another program sends messages (R-CONN-11). */
const Token = Type.String({ pattern: '^[A-Za-z0-9]{30}$' })
/** A connection with all its settings. `greetingMediaAttachment`: the name of the file that is sent before the greeting (A-BOT-11). */
export const Connection = Type.Object({
  ...connection.Row.properties,
  token: Nullable(Token),
  account: Nullable(ShownAccount),
  /** A pairing code that the user types into the phone, instead of the QR code. */
  pairing: Nullable(Type.Object({ number: Type.String(), code: Nullable(Type.String()), until: Nullable(Moment) })),
  greetingMediaAttachment: Nullable(Type.String()),
})
export type Connection = Static<typeof Connection>

/** The use of a connection, which its refused deletion answers: active tickets, users and waiting outbound messages. */
export type ConnectionUse = { tickets: number; users: number; messages: number }

const ofMeta = ['ERR_CHANNEL_TOKEN', 'ERR_CHANNEL_ACCOUNT', 'ERR_CHANNEL_FORBIDDEN', 'ERR_CHANNEL_TAKEN', 'ERR_CHANNEL_AWAY'] as const
const Session = Type.Optional(Type.Integer({ minimum: 0, maximum: 1 }))
const session = { may: mayConnect, answer: Connection, errors: ['ERR_WAPP_NOT_INITIALIZED' as const] }

export const connections = {
  list: get('/whatsapp', {
    may: signedIn,
    summary: 'Lists the connections of the company.',
    query: Type.Object({ companyId: Type.Optional(Id), session: Session }),
    answer: Type.Array(ConnectionRow),
  }),
  filter: get('/whatsapp/filter', {
    may: signedIn,
    summary: 'Lists the connections of one channel.',
    query: Type.Object({ channel: Type.Optional(Channel), session: Session }),
    answer: Type.Array(ConnectionRow),
  }),
  all: get('/whatsapp/all', {
    may: superAdmin,
    summary: 'Lists the connections of every company, each with its company.',
    query: Type.Object({ session: Session }),
    answer: Type.Array(Type.Object({ ...ConnectionRow.properties, company: Type.Object({ id: Id, name: Type.String() }) })),
  }),
  companies: get('/whatsapp/companies', {
    may: superAdmin,
    summary: 'Lists every company, also those without a connection (R-CONN-19).',
    answer: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  }),
  ofCompany: get('/whatsapp-admin/:id', {
    may: superAdmin,
    summary: 'Lists the connections of one company, by the company’s id (A-CONN-02).',
    query: Type.Object({ session: Session }),
    answer: Type.Array(ConnectionRow),
    errors: ['ERR_NOT_FOUND'],
  }),
  providers: get('/whatsapp/providers', {
    may: mayConnect,
    summary: 'Lists the providers that this server can connect to; other providers are switched off here.',
    answer: Type.Array(Type.String()),
  }),
  alarm: get('/whatsapp/alarm', {
    may: mayConnect,
    summary: 'Shows whether outages of connections are mailed, which needs a mail server.',
    answer: Type.Object({ mails: Type.Boolean() }),
  }),
  find: get('/whatsapp/:id', {
    may: mayConnect,
    summary: 'Shows a connection with all its settings.',
    query: Type.Object({ session: Session }),
    answer: Connection,
  }),
  create: post('/whatsapp', {
    may: mayConnect,
    summary: 'Creates a connection within the limits of the plan; the first one of a company becomes its default.',
    body: Type.Object(
      { ...connection.Body.properties, token: Type.Optional(Token), cloud: Type.Optional(CloudAccount) },
      { additionalProperties: false },
    ),
    answer: Connection,
    idempotent: true,
    errors: ['ERR_NO_PLAN', 'ERR_WAPP_GREETING_REQUIRED', ...ofMeta],
  }),
  update: put('/whatsapp/:id', {
    may: mayConnect,
    summary: 'Changes a connection; omitted fields stay. Refused if `version` is outdated.',
    body: Type.Object(
      {
        ...connection.Change.properties,
        ...{ version: Type.Optional(version), token: Type.Optional(Token), cloud: Type.Optional(CloudChange) },
      },
      { additionalProperties: false },
    ),
    answer: Connection,
    idempotent: true,
    errors: ['ERR_ROW_CHANGED', 'ERR_NO_OTHER_WHATSAPP', 'ERR_WAPP_GREETING_REQUIRED', ...ofMeta],
  }),
  remove: del('/whatsapp/:id', {
    may: mayConnect,
    summary:
      'Deletes a connection. Its active tickets are closed without a message to the customers (A-CONN-06). A connection in use needs `release`.',
    query: Type.Object({ release: Type.Optional(Type.Boolean()) }),
    idempotent: true,
    errors: ['ERR_NO_OTHER_WHATSAPP', 'ERR_WAPP_IN_USE'],
  }),
  attach: post('/whatsapp/:id/media-upload', {
    may: mayConnect,
    summary: 'Uploads the file that is sent before the greeting, and replaces the previous one.',
    body: Type.Object({ typeArch: Type.Optional(Text(50)) }, { additionalProperties: false }),
    answer: Connection,
    idempotent: true,
    upload: true,
  }),
  detach: del('/whatsapp/:id/media-upload', { may: mayConnect, summary: 'Removes the file of the greeting.', idempotent: true }),

  start: post('/whatsappsession/:id', { ...session, summary: 'Restarts the session of a connection.' }),
  renew: put('/whatsappsession/:id', { ...session, summary: 'Starts a new session with a new QR code.' }),
  pair: post('/whatsappsession/:id/code', {
    ...session,
    summary: 'Starts a new session with a pairing code for the phone. The number needs its country code, unless it is Brazilian.',
    body: Type.Object(
      { number: Type.String({ maxLength: 30, pattern: `^[${numberSigns}]*([0-9][${numberSigns}]*){8,15}$` }) },
      { additionalProperties: false },
    ),
  }),
  register: post('/whatsappsession/:id/register', {
    may: mayConnect,
    summary:
      'Registers a number of the Cloud API with WhatsApp by the six-digit PIN of its two-step verification; a number without a PIN gets this one. The PIN is not stored.',
    body: Type.Object({ pin: Type.String({ pattern: '^[0-9]{6}$' }) }, { additionalProperties: false }),
    answer: Connection,
    errors: ['ERR_WAPP_NOT_INITIALIZED', 'ERR_CHANNEL_PIN', 'ERR_CHANNEL_PIN_LATER', ...ofMeta],
  }),
  stop: del('/whatsappsession/:id', {
    may: mayConnect,
    summary: 'Ends the session of a connection.',
    errors: ['ERR_WAPP_NOT_INITIALIZED'],
  }),
  closeImported: post('/closedimported/:id', {
    may: mayConnect,
    summary:
      'Starts a bulk operation that closes the waiting imported tickets of a connection, without a message to the customers (A-IMP-05).',
    answer: WorkRow,
    status: 202,
  }),
  facebook: post('/facebook', {
    may: mayConnect,
    summary:
      'Creates a connection for each page of the Facebook login and, with `addInstagram`, for the linked Instagram accounts (A-CONN-04). Accounts of another company are skipped and named.',
    body: Type.Object(
      {
        facebookUserId: Type.Optional(Type.String({ pattern: '^[0-9]{0,30}$' })),
        facebookUserToken: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, pattern: '^\\s*\\S+\\s*$' })),
        /** The login that POST /facebook/pages answered, instead of the token. */
        login: Type.Optional(Text(100, 1)),
        addInstagram: Type.Optional(Type.Boolean()),
        /** Restricts the call to these pages and Instagram accounts, by their ids at Meta. */
        accounts: Type.Optional(Type.Array(Text(30, 1), { minItems: 1, maxItems: 200 })),
      },
      { additionalProperties: false },
    ),
    /** Account names. `taken`: accounts of another company of this server; `left`: others that could not be connected. */
    answer: Type.Object({ created: Type.Integer(), renewed: Type.Integer(), taken: names, left: names }),
    errors: ['ERR_META_NOT_SET', 'ERR_META_LOGIN', 'ERR_NO_PLAN', 'ERR_PLAN_CONNECTIONS', ...ofMeta],
  }),
  facebookLogin: post('/facebook/login', {
    may: mayConnect,
    summary:
      'Returns the URL of the Meta login that authorizes this server’s app. Meta redirects back to the connections page with a code and a state.',
    answer: Type.Object({ url: Type.String() }),
    errors: ['ERR_META_NOT_SET', 'ERR_NO_PLAN'],
  }),
  facebookPages: post('/facebook/pages', {
    may: mayConnect,
    summary: 'Lists the pages and linked Instagram accounts of a Meta login, to choose from for POST /facebook. Works once per login.',
    body: Type.Object({ code: Text(2000, 1), state: Text(100, 1) }, { additionalProperties: false }),
    answer: Type.Object({
      login: Type.String(),
      tokenExpiresAt: Nullable(Moment),
      accounts: Type.Array(
        Type.Object({
          product: Type.Enum(loginProducts),
          accountId: Type.String(),
          /** For an Instagram account: the id of its linked page. */
          businessId: Nullable(Type.String()),
          name: Type.String(),
          /** The existing connection of this account. */
          connectionId: Nullable(Id),
          /** A user disconnected that connection; it stays disconnected unless it is chosen. */
          ended: Type.Boolean(),
          /** The account belongs to a connection of another company of this server. */
          taken: Type.Boolean(),
        }),
      ),
    }),
    errors: ['ERR_META_NOT_SET', 'ERR_META_LOGIN', ...ofMeta],
  }),
  restart: post('/whatsapp-restart', {
    may: mayConnect,
    summary:
      'Restarts the sessions of all WhatsApp connections, also those of the Cloud API, except those that a user disconnected (A-CONN-05).',
    answer: Type.Object({ restarted: Type.Integer() }),
  }),
}
