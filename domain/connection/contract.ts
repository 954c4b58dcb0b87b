import type { Static } from 'typebox'
import * as Type from 'typebox'
import { mayConnect, signedIn, superAdmin } from '#domain/access.ts'
import { WorkRow } from '#domain/bulk-operation/contract.ts'
import { connectionFields } from '#domain/connection-settings/contract.ts'
import { numberSigns } from '#domain/contact/rules.ts'
import { del, fileShown, get, Id, Moment, Nullable, post, put, RelatedIds, resource, Text, version } from '#domain/contract.ts'
import { CloudAccount, CloudChange, ShownAccount } from '#domain/meta/contract.ts'
import { Channel } from '#domain/ticket/contract.ts'

const names = Type.Array(Type.String())
/** What was said before it was linked (A-IMP-04): where its import stands, and how many conversations of how many are done. */
const imported = {
  /** null; when the phone last told of some; `Running`; `renderButtonCloseTickets`: done, and tickets of it are still waiting. */
  statusImportMessages: Nullable(Type.String()),
  importDone: Type.Integer(),
  importAll: Type.Integer(),
}
const Status = Type.Enum(['qrcode', 'OPENING', 'CONNECTED', 'DISCONNECTED', 'PAIRING', 'TIMEOUT'])

/** A company’s number or page on a channel as everybody sees it; published as whatsapp. */
export const ConnectionRow = Type.Object({
  id: Id,
  companyId: Id,
  name: Type.String(),
  channel: Channel,
  provider: Type.String(),
  number: Nullable(Type.String()),
  status: Status,
  /** Why it is away, as a code of its provider’s; null: it is not, or somebody ended it. */
  reason: Nullable(Type.String()),
  /** It says that it stands, and nothing came back from its provider since; null: it answers. */
  silentSince: Nullable(Moment),
  /** When the channel’s authorisation ends; null where it does not, or nobody says. */
  tokenExpiresAt: Nullable(Moment),
  /** It was linked anew these days: what customers wrote from the one moment to the other is perhaps on the phone alone. */
  missedFrom: Nullable(Moment),
  missedTo: Nullable(Moment),
  /** Until when the channel lets its number begin no conversations; who wrote to it is answered all the same. */
  noNewChatsUntil: Nullable(Moment),
  /** What somebody has still to do at the channel, without which it tells nothing: to enter the address that it calls. */
  todo: Nullable(Type.Enum(['webhook'])),
  ...imported,
  /** Whether who writes to it comes before those who serve a queue. */
  hasQueues: Type.Boolean(),
  isDefault: Type.Boolean(),
  allowGroup: Type.Boolean(),
  groupAsTicket: Type.Enum(['enabled', 'disabled']),
  /** Whether what is touched leaves as such, and not in words. */
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
    /** What its phone reads to be linked; empty where there is nothing to read. */
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
      ...{ through: 'connectionQueue', mine: 'connectionId', theirs: 'queueId', as: 'queues', columns: ['name', 'color'] },
    },
    sendIdQueue: queueThere,
    queueIdImportMessages: queueThere,
  },
  masked: ['token' as never, 'qrcode' as never, 'pairing' as never],
  search: ['name'],
  read: mayConnect,
  write: mayConnect,
})

/** The key that another program sends by (R-CONN-11). */
const Token = Type.String({ pattern: '^[A-Za-z0-9]{30}$' })
/** A connection with all that is set of it. `greetingMediaAttachment`: the name of the file that goes before the greeting (A-BOT-11). */
export const Connection = Type.Object({
  ...connection.Row.properties,
  token: Nullable(Token),
  account: Nullable(ShownAccount),
  /** A code to be typed into the phone that has the number, instead of one to be read. */
  pairing: Nullable(Type.Object({ number: Type.String(), code: Nullable(Type.String()), until: Nullable(Moment) })),
  greetingMediaAttachment: Nullable(Type.String()),
})
export type Connection = Static<typeof Connection>

/** How many active tickets and people point to a connection, and how many messages wait to leave by it: what its deletion is refused with. */
export type ConnectionUse = { tickets: number; users: number; messages: number }

const ofMeta = ['ERR_CHANNEL_TOKEN', 'ERR_CHANNEL_ACCOUNT', 'ERR_CHANNEL_FORBIDDEN', 'ERR_CHANNEL_TAKEN', 'ERR_CHANNEL_AWAY'] as const
const Session = Type.Optional(Type.Integer({ minimum: 0, maximum: 1 }))
const session = { may: mayConnect, answer: Connection, refuses: ['ERR_WAPP_NOT_INITIALIZED' as const] }

export const connections = {
  list: get('/whatsapp', {
    may: signedIn,
    says: 'The company’s numbers and pages.',
    query: Type.Object({ companyId: Type.Optional(Id), session: Session }),
    answer: Type.Array(ConnectionRow),
  }),
  filter: get('/whatsapp/filter', {
    may: signedIn,
    says: 'Those of one channel.',
    query: Type.Object({ channel: Type.Optional(Channel), session: Session }),
    answer: Type.Array(ConnectionRow),
  }),
  all: get('/whatsapp/all', {
    may: superAdmin,
    says: 'Those of every company, each with its company.',
    query: Type.Object({ session: Session }),
    answer: Type.Array(Type.Object({ ...ConnectionRow.properties, company: Type.Object({ id: Id, name: Type.String() }) })),
  }),
  companies: get('/whatsapp/companies', {
    may: superAdmin,
    says: 'Every company, those without a connection too (R-CONN-19).',
    answer: Type.Array(Type.Object({ id: Id, name: Type.String() })),
  }),
  ofCompany: get('/whatsapp-admin/:id', {
    may: superAdmin,
    says: 'Those of one company, by its id (A-CONN-02).',
    query: Type.Object({ session: Session }),
    answer: Type.Array(ConnectionRow),
    refuses: ['ERR_NOT_FOUND'],
  }),
  providers: get('/whatsapp/providers', {
    may: mayConnect,
    says: 'The providers that this server can hold a connection of; what is not named is switched off here.',
    answer: Type.Array(Type.String()),
  }),
  alarm: get('/whatsapp/alarm', {
    may: mayConnect,
    says: 'Whether those who look after connections are mailed when one is away: this server has a mail server.',
    answer: Type.Object({ mails: Type.Boolean() }),
  }),
  find: get('/whatsapp/:id', {
    may: mayConnect,
    says: 'A connection with all that is set of it.',
    query: Type.Object({ session: Session }),
    answer: Connection,
  }),
  create: post('/whatsapp', {
    may: mayConnect,
    says: 'Makes a connection, within what the plan allows; the first one of a company is its default.',
    body: Type.Object(
      { ...connection.Body.properties, token: Type.Optional(Token), cloud: Type.Optional(CloudAccount) },
      { additionalProperties: false },
    ),
    answer: Connection,
    once: true,
    refuses: ['ERR_NO_PLAN', 'ERR_WAPP_GREETING_REQUIRED', ...ofMeta],
  }),
  update: put('/whatsapp/:id', {
    may: mayConnect,
    says: 'Changes a connection; what is not given stays. Refused where `version` is not that of the row any more.',
    body: Type.Object(
      {
        ...connection.Change.properties,
        ...{ version: Type.Optional(version), token: Type.Optional(Token), cloud: Type.Optional(CloudChange) },
      },
      { additionalProperties: false },
    ),
    answer: Connection,
    once: true,
    refuses: ['ERR_ROW_CHANGED', 'ERR_NO_OTHER_WHATSAPP', 'ERR_WAPP_GREETING_REQUIRED', ...ofMeta],
  }),
  remove: del('/whatsapp/:id', {
    may: mayConnect,
    says: 'Deletes a connection. Its active tickets are closed, and nothing is said to their customers (A-CONN-06): while it has such, or people use it, only with `release`.',
    query: Type.Object({ release: Type.Optional(Type.Boolean()) }),
    once: true,
    refuses: ['ERR_NO_OTHER_WHATSAPP', 'ERR_WAPP_IN_USE'],
  }),
  attach: post('/whatsapp/:id/media-upload', {
    may: mayConnect,
    says: 'Gives the greeting a file that goes before it, in place of the one it had.',
    body: Type.Object({ typeArch: Type.Optional(Text(50)) }, { additionalProperties: false }),
    answer: Connection,
    once: true,
    upload: true,
  }),
  detach: del('/whatsapp/:id/media-upload', { may: mayConnect, says: 'Takes the file from the greeting.', once: true }),

  start: post('/whatsappsession/:id', { ...session, says: 'Begins its session again.' }),
  renew: put('/whatsappsession/:id', { ...session, says: 'Begins a new session, with a new code to be read.' }),
  pair: post('/whatsappsession/:id/code', {
    ...session,
    says: 'Begins a new session, with a code that is typed into the phone that has the number; with its country code, which one of Brazil may leave out.',
    body: Type.Object(
      { number: Type.String({ maxLength: 30, pattern: `^[${numberSigns}]*([0-9][${numberSigns}]*){8,15}$` }) },
      { additionalProperties: false },
    ),
  }),
  register: post('/whatsappsession/:id/register', {
    may: mayConnect,
    says: 'Registers a number of the Cloud API with WhatsApp, by the six digits of its two-step verification; one without takes these for its own. Nobody keeps them.',
    body: Type.Object({ pin: Type.String({ pattern: '^[0-9]{6}$' }) }, { additionalProperties: false }),
    answer: Connection,
    refuses: ['ERR_WAPP_NOT_INITIALIZED', 'ERR_CHANNEL_PIN', 'ERR_CHANNEL_PIN_LATER', ...ofMeta],
  }),
  stop: del('/whatsappsession/:id', { may: mayConnect, says: 'Ends its session.', refuses: ['ERR_WAPP_NOT_INITIALIZED'] }),
  closeImported: post('/closedimported/:id', {
    may: mayConnect,
    says: 'Begins to close the imported tickets of a connection that still wait, as long work; nothing is said to their customers (A-IMP-05).',
    answer: WorkRow,
    status: 202,
  }),
  facebook: post('/facebook', {
    may: mayConnect,
    says: 'Makes a connection of each page of who logged in at Facebook, and with `addInstagram` of the Instagram accounts linked to them (A-CONN-04). What is another company’s already is left out and named.',
    body: Type.Object(
      {
        facebookUserId: Type.Optional(Type.String({ pattern: '^[0-9]{0,30}$' })),
        facebookUserToken: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, pattern: '^\\s*\\S+\\s*$' })),
        /** Instead of the token: the login that POST /facebook/pages answered with. */
        login: Type.Optional(Text(100, 1)),
        addInstagram: Type.Optional(Type.Boolean()),
        /** Only these pages and Instagram accounts, by their ids at Meta. */
        accounts: Type.Optional(Type.Array(Text(30, 1), { minItems: 1, maxItems: 200 })),
      },
      { additionalProperties: false },
    ),
    /** `taken`: by name, what another company of this server has already; `left`: what else could not be connected. */
    answer: Type.Object({ created: Type.Integer(), renewed: Type.Integer(), taken: names, left: names }),
    refuses: ['ERR_META_NOT_SET', 'ERR_META_LOGIN', 'ERR_NO_PLAN', 'ERR_PLAN_CONNECTIONS', ...ofMeta],
  }),
  facebookLogin: post('/facebook/login', {
    may: mayConnect,
    says: 'Where Meta asks whoever comes there whether this server’s app may speak for their pages; it sends them back to the connections, with a code and a state.',
    answer: Type.Object({ url: Type.String() }),
    refuses: ['ERR_META_NOT_SET', 'ERR_NO_PLAN'],
  }),
  facebookPages: post('/facebook/pages', {
    may: mayConnect,
    says: 'The pages of whoever came back from there, and the Instagram accounts linked to them, to choose from for POST /facebook. Once.',
    body: Type.Object({ code: Text(2000, 1), state: Text(100, 1) }, { additionalProperties: false }),
    answer: Type.Object({
      login: Type.String(),
      tokenExpiresAt: Nullable(Moment),
      accounts: Type.Array(
        Type.Object({
          product: Type.Enum(['page', 'instagram']),
          accountId: Type.String(),
          /** Of an Instagram account: the page that it is linked to. */
          businessId: Nullable(Type.String()),
          name: Type.String(),
          /** The connection that it is already. */
          connectionId: Nullable(Id),
          /** Somebody ended that one: it stays so unless it is chosen. */
          ended: Type.Boolean(),
          /** It is a connection of another company of this server. */
          taken: Type.Boolean(),
        }),
      ),
    }),
    refuses: ['ERR_META_NOT_SET', 'ERR_META_LOGIN', ...ofMeta],
  }),
  restart: post('/whatsapp-restart', {
    may: mayConnect,
    says: 'Begins the sessions of all WhatsApp connections again, those of the Cloud API too, but for what somebody ended (A-CONN-05).',
    answer: Type.Object({ restarted: Type.Integer() }),
  }),
}
