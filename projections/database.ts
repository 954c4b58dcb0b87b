import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { Static } from 'typebox'
import type { Flag, PlanFlag } from '#domain/access.ts'
import type { Cause } from '#domain/decider.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import type { NotificationSettings } from '#domain/notification/contract.ts'
import type { quickReply } from '#domain/quick-reply/contract.ts'
import type { tag } from '#domain/tag/contract.ts'
import type { Media } from '#domain/ticket/events.ts'

import type { AuditTable } from './audit/tables.ts'
import type { LongWorkErrorTable, LongWorkTable } from './bulk-operation/tables.ts'
import type * as Connection from './connection/tables.ts'
import type {
  ContactDuplicateTable,
  ContactFormerNumberTable,
  ContactIdentityTable,
  ContactMergeTable,
  ContactPictureTable,
  ContactTable,
} from './contact/tables.ts'
import type { ContactImportRowTable, ContactImportTable, PhoneBookTable } from './contact-import/tables.ts'
import type { DataRequestTable, ErasedIdentityTable, RedactionTable } from './data-request/tables.ts'
import type { OutboxTable } from './message/tables.ts'
import type { ChatbotTable, QueueTable } from './queue/tables.ts'
import type { RuleVersionTable, TicketClosingTable, TicketFactTable, TicketIntervalTable } from './report/tables.ts'
import type { ReportFilterTable, ReportMailTable } from './report-filter/tables.ts'
import type { SandboxFaultTable, SandboxMessageTable, SimulatedClockTable } from './sandbox/tables.ts'
import type { SecurityEventTable } from './security/tables.ts'
import type { CounterTable, MessageTable, NoteTable, TicketHistoryTable, TicketLogTable, TicketTable } from './ticket/tables.ts'
import type { TrafficSumTable, TrafficTable } from './traffic/tables.ts'

type TableOf<R extends { Row: any }> = Omit<Static<R['Row']>, 'id' | 'version'> & { id: Generated<number>; version: Generated<number> }
/** Timestamps are read as ISO texts; columns that default to now() are set by Postgres. */
type Now = Generated<string>
type Json<T> = JSONColumnType<T & object, string, string>

/** Every table of the schema. */
export interface Database {
  checkpoint: {
    name: string
    version: number
    position: string
    eventId: string | null
    eventAt: string | null
    eventStream: string | null
    eventRevision: number | null
    appliedAt: Now
  }
  parkedStream: {
    id: Generated<number>
    follower: string
    companyId: number
    ticketId: number
    stream: string
    eventId: string
    eventType: string
    revision: number
    behind: number
    reason: string
    since: Now
    releasedAt: string | null
  }
  /** The version that built the tables of a read model. */
  readModel: { name: string; version: number; builtAt: Now }
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

  /** `users`, `connections`, `queues`: the maximum per company; null: unlimited (A-PLAN-01). */
  plan: {
    id: Generated<number>
    name: string
    flags: Json<Partial<Record<PlanFlag, boolean>>>
    uploadMegabytes: Generated<number | null>
    users: Generated<number | null>
    connections: Generated<number | null>
    queues: Generated<number | null>
  }
  company: {
    id: Generated<number>
    name: string
    planId: number | null
    status: Generated<boolean>
    dueDate: string | null
    lastLogin: string | null
    createdAt: Now
    schedules: JSONColumnType<Schedules, string | undefined, string>
    hoursVersion: Generated<number>
  }
  holiday: { id: Generated<number>; companyId: number; date: string; name: string }
  clockOffset: SimulatedClockTable
  companySetting: { id: Generated<number>; companyId: number; key: string; value: string }
  audit: AuditTable
  reportFilter: ReportFilterTable
  reportMail: ReportMailTable
  /** Executed idempotent calls on plain lists, by command id. */
  idempotencyKey: {
    companyId: number
    userId: number
    commandId: string
    call: string
    asked: string
    rowId: number
    /** For a call over many rows: the rows, and the final count once it is done. */
    meant: number[] | null
    count: number | null
    at: Now
  }
  bulkOperation: LongWorkTable
  bulkOperationError: LongWorkErrorTable
  platformSetting: { key: string; value: string }
  secretSetting: { id: string; companyId: number; key: string; wrapped: Buffer; wrappedBy: string }
  user: UserTable
  userQueue: { companyId: number; userId: number; queueId: number }
  passwordLink: {
    tokenHash: string
    companyId: number
    userId: number
    expiresAt: string
    usedAt: string | null
    /** Requested by an unauthenticated caller (A-AUTH-09). */
    forgotten: Generated<boolean>
  }
  userPresence: {
    id: number
    companyId: number
    online: boolean
    seenAt: string
    /** Set by the user. */
    away: Generated<boolean>
    /** No input for a long time. */
    idle: Generated<boolean>
    /** Last known fullness, as sent to clients. */
    isFull: Generated<boolean>
  }
  /** When each agent of a queue last received an assignment (A-ROT-01). */
  queueTurn: { companyId: number; queueId: number; userId: number; at: string }
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
  securityEvent: SecurityEventTable
  queue: QueueTable
  menuOption: ChatbotTable
  /** The users of a queue when it was retired. */
  retiredQueueUser: { companyId: number; userId: number; queueId: number }
  connection: Connection.ConnectionTable
  connectionToken: Connection.ConnectionTokenTable
  metaAccount: Connection.MetaAccountTable
  metaLogin: Connection.MetaLoginTable
  /** `personKey`: the person whose number the id contains, as in `contactIdentity.key`. */
  messageProviderId: { connectionId: number; digest: string; companyId: number; personKey: string; providerId: string }
  connectionGap: Connection.ConnectionGapTable
  connectionQueue: { companyId: number; connectionId: number; queueId: number }
  tag: Omit<TableOf<typeof tag>, 'contactsCount' | 'userId' | 'position'> & {
    contactsCount: Generated<number>
    userId: Generated<number | null>
    position: Generated<number | null>
  }
  fileList: { id: Generated<number>; companyId: number; version: Generated<number>; userId: number | null; name: string; message: string }
  fileListOption: { id: Generated<number>; companyId: number; fileListId: number; position: number; name: string }
  quickMessage: Omit<TableOf<typeof quickReply>, 'mediaPath' | 'mediaName' | 'isMedia' | 'status'> & { status: Generated<boolean> }
  contact: ContactTable
  contactIdentity: ContactIdentityTable
  contactDuplicate: ContactDuplicateTable
  contactFormerNumber: ContactFormerNumberTable
  contactMerge: ContactMergeTable
  contactPicture: ContactPictureTable
  phoneBook: PhoneBookTable
  contactImport: ContactImportTable
  contactImportRow: ContactImportRowTable
  contactTag: { companyId: number; contactId: number; tagId: number }
  dataRequest: DataRequestTable
  redaction: RedactionTable
  erasedIdentity: ErasedIdentityTable

  ticket: TicketTable
  ticketLog: TicketLogTable
  message: MessageTable
  note: NoteTable
  ticketCounter: CounterTable
  ticketHistory: TicketHistoryTable
  ticketFact: TicketFactTable
  ticketInterval: TicketIntervalTable
  ticketClosing: TicketClosingTable
  ruleVersion: RuleVersionTable
  traffic: TrafficTable
  trafficSum: TrafficSumTable
  ticketChain: {
    ticketId: number
    companyId: number
    holds: boolean
    brokenAt: number | null
    reason: string | null
    checkedAt: string
    mac: string | null
  }

  snapshot: { companyId: number; stream: string; fold: number; revision: number; hash: string; state: string; mac: string; takenAt: Now }
  snapshotPast: {
    companyId: number
    stream: string
    fold: number
    messageId: number
    revision: number
    fromMe: boolean
    said: string
    mac: string
  }
  snapshotKey: { companyId: number; stream: string; fold: number; id: string; next: string | null; messageId: number | null; mac: string }

  signingKey: { id: string; wrapped: Buffer; wrappedBy: string; current: Generated<boolean>; madeAt: Now }
  anchor: {
    companyId: number
    number: number
    first: number
    revision: number
    statement: Json<object>
    filedAt: Generated<string | null>
    postedAt: Generated<string | null>
  }
  ticketAnchor: { ticketId: number; companyId: number; number: number; revision: number }
  eventMacKey: { id: string; wrapped: Buffer; wrappedBy: string; current: Generated<boolean>; madeAt: Now }

  activeTicket: {
    companyId: number
    connectionId: number
    contactId: number
    /** The contact that is shown for this one; a trigger sets it. */
    personId: Generated<number>
    ticketId: number
    uuid: string
    since: Generated<number>
    claimedAt: Now
  }
  inboundEvent: {
    id: Generated<number>
    companyId: number
    connectionId: number
    externalId: string
    conversation: string
    payload: JSONColumnType<object | null, string | null, string | null>
    receivedAt: Now
    doneAt: string | null
    failures: Generated<number>
    deaths: Generated<number>
    diedWith: Generated<string[] | null>
    refused: string | null
    /** When a finished inbound event that is not a message is deleted; null for messages. */
    forgetAt: Generated<string | null>
  }
  outbox: OutboxTable
  scheduledTask: { name: string; nextAt: string; heldUntil: string | null; holder: string | null }
  connectionLease: Connection.ConnectionLeaseTable
  worker: { id: Generated<number>; pid: number; until: string; process: Generated<string | null> }
  deadline: { id: Generated<number>; companyId: number; aggregateId: number; kind: string; dueAt: string; cause: Json<Cause> | null }
  media: {
    companyId: number
    key: string
    mime: string
    size: number
    storedAt: Now
    withdrawnAt: Generated<string | null>
    named: Generated<boolean>
    byPeople: Generated<boolean>
  }
  failureDismissal: { userId: number; messageId: number; companyId: number; at: Now }
  rowFile: { companyId: number; list: string; rowId: number; key: string; media: Json<Media> }
  uploadReservation: { id: string; companyId: number; key: string; ticketId: number | null; size: number; byPeople: boolean; at: Now }

  waAccount: Connection.WaAccountTable
  waKey: { connectionId: number; companyId: number; type: string; id: string; data: Buffer }
  waMessage: { connectionId: number; companyId: number; id: string; who: Generated<string>; data: Buffer; at: Now }

  waHistory: { id: Generated<number>; connectionId: number; companyId: number; data: Buffer; failures: Generated<number> }
  importChat: Connection.ImportChatTable
  importMessage: Connection.ImportMessageTable

  sandboxMessage: SandboxMessageTable
  sandboxFault: SandboxFaultTable
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
  reportQueueIds: Generated<number[] | null>
  whatsappId: number | null
  startWork: Generated<string>
  endWork: Generated<string>
  farewellMessage: string | null
  defaultTheme: Generated<'light' | 'dark'>
  defaultMenu: Generated<'open' | 'closed'>
  defaultTicketsManagerWidth: Generated<number>
  language: Generated<string>
  notifications: JSONColumnType<NotificationSettings | null, string | undefined, string>
  color: Generated<string>
  version: Generated<number>
  retiredAt: Generated<string | null>
  createdAt: Now
}

export type OutboxRow = Selectable<Database['outbox']>
