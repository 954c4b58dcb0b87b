import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { Static } from 'typebox'
import type { Flag, PlanFlag } from '#domain/access.ts'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import type { queue } from '#domain/queue/contract.ts'
import type { quickReply } from '#domain/quick-reply/contract.ts'
import type { SecurityDetail, SecurityKind } from '#domain/security/contract.ts'
import type { tag } from '#domain/tag/contract.ts'
import type { Media } from '#domain/ticket/events.ts'

type TableOf<R extends { Row: any }> = Omit<Static<R['Row']>, 'id'> & { id: Generated<number> }
/** Moments are ISO texts on the way out; Postgres sets those that default to now(). */
type Now = Generated<string>
type Json<T> = JSONColumnType<T & object, string, string>

/** Every table, the whole schema at a glance. */
export interface Database {
  checkpoint: { name: string; version: number; position: string; eventId: string | null; eventAt: string | null; appliedAt: Now }
  projectorStop: { name: string; position: string; eventId: string; reason: string; stoppedAt: Now }
  projectorSkip: { name: string; eventId: string; saidBy: string; reason: string; skippedAt: Now }
  contactKey: {
    companyId: number
    contactId: number
    wrapped: Buffer | null
    wrappedBy: string | null
    createdAt: Now
    destroyedAt: string | null
  }
  masterKey: {
    id: Generated<number>
    checkValue: string
    nextCheck: string | null
    nextWrapped: Buffer | null
    handedFrom: string | null
    since: Now
  }

  plan: { id: Generated<number>; name: string; flags: Json<Partial<Record<PlanFlag, boolean>>> }
  company: {
    id: Generated<number>
    name: string
    planId: number | null
    status: Generated<boolean>
    dueDate: string | null
    lastLogin: string | null
    createdAt: Now
  }
  companySetting: { id: Generated<number>; companyId: number; key: string; value: string }
  user: UserTable
  userQueue: { companyId: number; userId: number; queueId: number }
  userPresence: { id: number; companyId: number; online: boolean; seenAt: string }
  session: {
    id: string
    companyId: number
    userId: number
    remember: boolean
    secretHash: string
    previousHash: string | null
    spent: JSONColumnType<{ hash: string; at: string }[], string | undefined, string>
    rotatedAt: string
    expiresAt: string
    createdAt: Now
    endedAt: string | null
  }
  loginFailure: { key: string; at: Now }
  securityEvent: {
    id: Generated<number>
    companyId: number
    n: number
    at: string
    kind: SecurityKind
    userId: number | null
    address: string | null
    detail: Json<SecurityDetail>
    hash: string
  }
  queue: TableOf<typeof queue>
  connection: Omit<ConnectionRow, 'id' | 'updatedAt'> & {
    id: Generated<number>
    greetingMessage: string | null
    complationMessage: string | null
    updatedAt: Now
  }
  connectionQueue: { companyId: number; connectionId: number; queueId: number }
  tag: Omit<TableOf<typeof tag>, 'contactsCount' | 'userId'> & { contactsCount: Generated<number>; userId: Generated<number | null> }
  quickMessage: TableOf<typeof quickReply>
  contact: ContactTable
  contactTag: { companyId: number; contactId: number; tagId: number }

  ticket: TicketTable
  ticketLog: TicketLogTable
  message: MessageTable
  note: NoteTable
  ticketCounter: CounterTable
  ticketHistory: TicketHistoryTable

  activeTicket: {
    companyId: number
    connectionId: number
    contactId: number
    ticketId: number
    uuid: string
    since: Generated<number>
  }
  journal: {
    id: Generated<number>
    companyId: number
    connectionId: number
    externalId: string
    conversation: string
    heard: JSONColumnType<object | null, string | null, string | null>
    receivedAt: Now
    doneAt: string | null
    failures: Generated<number>
    refused: string | null
  }
  outbox: {
    n: Generated<number>
    kind: Generated<'send' | 'edit' | 'remove' | 'react' | 'read'>
    messageId: number
    companyId: number
    connectionId: number
    contactId: number
    ticketId: number
    revision: number
    externalId: string
    state: Generated<'waiting' | 'taken' | 'failed' | 'uncertain'>
    attempts: Generated<number>
    dueAt: Now
    createdAt: Now
  }
  deadline: { id: Generated<number>; companyId: number; aggregateId: number; kind: string; dueAt: string }
  media: { companyId: number; key: string; mime: string; size: number; storedAt: Now; withdrawnAt: Generated<string | null> }

  sandboxMessage: {
    n: Generated<number>
    companyId: number
    connectionId: number
    id: string
    phone: string
    fromPhone: boolean
    author: string | null
    kind: string
    body: string
    media: JSONColumnType<Media | null, string | null, string | null>
    quotedId: string | null
    mark: Generated<string>
    ours: string | null
    theirs: string | null
    removed: Generated<boolean>
    edited: Generated<boolean>
    at: Now
  }
  sandboxFault: {
    connectionId: number
    companyId: number
    loseAnswers: Generated<boolean>
    delayMs: Generated<number>
    failCode: string | null
    duplicate: Generated<boolean>
    remaining: number
  }
}

interface UserTable {
  id: Generated<number>
  companyId: number
  name: string
  email: string
  passwordHash: string
  profile: Generated<'admin' | 'user'>
  super: Generated<boolean>
  flags: Json<Partial<Record<Flag, boolean>>>
  whatsappId: number | null
  startWork: Generated<string>
  endWork: Generated<string>
  farewellMessage: string | null
  defaultTheme: Generated<'light' | 'dark'>
  defaultMenu: Generated<'open' | 'closed'>
  defaultTicketsManagerWidth: Generated<number>
  language: Generated<string>
  color: Generated<string>
  createdAt: Now
}

interface ContactTable {
  id: Generated<number>
  uuid: Generated<string>
  companyId: number
  name: string
  number: string
  numberKey: string
  email: Generated<string>
  channel: string
  isGroup: Generated<boolean>
  active: Generated<boolean>
  disableBot: Generated<boolean>
  acceptAudioMessage: Generated<boolean>
  lgpdAcceptedAt: string | null
  urlPicture: string | null
  whatsappId: number | null
  extraInfo: Json<{ id: number; name: string; value: string }[]>
  createdAt: Now
  updatedAt: Now
  deletedAt: string | null
}

/** The tables of the ticket's projector: what stands in them comes from events alone. */
export type TicketTable = {
  id: number
  uuid: string
  companyId: number
  status: 'pending' | 'open' | 'closed' | 'group'
  channel: 'whatsapp' | 'whatsappapi' | 'facebook' | 'instagram'
  isGroup: boolean
  isBot: boolean
  contactId: number
  whatsappId: number
  queueId: number | null
  userId: number | null
  lastMessage: string
  lastMessageId: number | null
  lastMessageFromMe: boolean
  lastMessageAt: string | null
  lastMessageKind: string | null
  lastMessageDeleted: boolean
  lastMessageUserId: number | null
  lastMessageSender: string | null
  lastMessageSeconds: number | null
  lastMessageFile: string | null
  failedIds: number[]
  batch: string | null
  unreadMessages: number
  isTransfered: boolean
  transfer: { userId: number | null; at: string; note: string | null } | null
  useIntegration: boolean
  revision: number
  createdAt: string
  updatedAt: string
  waitingSince: string | null
  openedAt: string | null
  closedAt: string | null
}
export type TicketLogTable = {
  id: string
  companyId: number
  ticketId: number
  revision: number
  type: string
  userId: number | null
  queueId: number | null
  fromUserId: number | null
  note: string | null
  createdAt: string
}
/** No deletion takes a row from it, and no person stands in it but by an id (A-AUDIT-01). */
export type TicketHistoryTable = {
  id: number
  uuid: string
  companyId: number
  contactId: number
  connectionId: number
  isGroup: boolean
  status: 'pending' | 'open' | 'group' | 'closed' | 'deleted'
  queueId: number | null
  userId: number | null
  /** Everyone who served it or acted in it. */
  userIds: number[]
  revision: number
  createdAt: string
  updatedAt: string
  deletedAt: string | null
}
export type MessageTable = {
  id: number
  companyId: number
  ticketId: number
  queueId: number | null
  body: string
  /** The body as it is searched. */
  words: string
  fromMe: boolean
  userId: number | null
  senderName: string | null
  deletedBy: 'us' | 'contact' | null
  isEdited: boolean
  isForwarded: boolean
  isPrivate: boolean
  ack: number
  failed: string | null
  uncertain: boolean
  mediaType: string
  media: Media | null
  vCard: string | null
  quotedId: number | null
  reactions: { emoji: string; from: 'us' | 'contact' }[]
  revision: number
  createdAt: string
}
export type NoteTable = { id: number; companyId: number; ticketId: number; userId: number | null; note: string; createdAt: string }
export type CounterTable = {
  companyId: number
  status: string
  isGroup: boolean
  queueId: number
  userId: number
  tickets: number
  unread: number
}

/** A line of the outbox: a message that is to leave, or what was done to one. */
export type OutboxRow = Selectable<Database['outbox']>
