import type { Generated, JSONColumnType } from 'kysely'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import type { ConnectionFields } from '#domain/connection-settings/contract.ts'
import type { Schedules } from '#domain/hours/contract.ts'

type Row = Omit<ConnectionFields, 'schedules'> &
  Pick<ConnectionRow, 'companyId' | 'status' | 'number' | 'reason' | 'silentSince' | 'updatedAt'> & {
    /** When its admins were told that it is away. */
    outageNotifiedAt: string | null
    /** When it was back, of which they are still to be told. */
    backAt: string | null
    /** Since when it has another number than it had before; null: it never had another. */
    numberSince: string | null
    /** Until when its channel lets it begin no conversations. */
    noNewChatsUntil: string | null
    version: number
    qrcode: string
    /** Where it stands with reading what was said before it was linked. */
    statusImportMessages: string | null
    /** How many of its conversations are imported, of how many. */
    importDone: number
    importAll: number
  }
type Given = 'companyId' | 'name' | 'channel' | 'provider' | 'status'

export type ConnectionTable = Pick<Row, Given> & { [N in Exclude<keyof Row, Given>]: Generated<Row[N]> } & {
  id: Generated<number>
  schedules: JSONColumnType<Schedules, string | undefined, string>
}
/** Of a connection, whose id it has as text, the key that other programs send by: sealed, and found by its hash (A-CONN-08). */
export type ConnectionTokenTable = { id: string; companyId: number; hash: string; wrapped: Buffer; wrappedBy: string }
/** Of a connection, whose id it has as text, what it is at Meta; `hook`: the end of the address that Meta calls for it. */
export type MetaAccountTable = {
  id: string
  companyId: number
  product: 'whatsapp' | 'page' | 'instagram'
  /** A phone number’s id, a page’s, an Instagram account’s. */
  accountId: string
  /** The business account of a phone number; the page of an Instagram account. */
  businessId: string | null
  hook: string
  tokenExpiresAt: string | null
  /** When its company was told that the token ends soon. */
  expiryNotifiedAt: string | null
  /** When Meta first called its address; null: nobody entered it there yet. */
  hookProvenAt: string | null
  wrapped: Buffer
  wrappedBy: string
}
/** Somebody’s way through Meta’s login, by the hash of its word, and sealed the token that it gave. */
export type MetaLoginTable = {
  id: string
  companyId: number
  userId: number
  expiresAt: string
  usedAt: string | null
  tokenExpiresAt: string | null
  wrapped: Buffer
  wrappedBy: string
}
/** When a connection did not stand, though it had; kept by Postgres as the row of the connection changes. `reason`: null where somebody ended it. */
export type ConnectionGapTable = {
  id: Generated<number>
  companyId: number
  connectionId: number
  beganAt: string
  endedAt: string | null
  reason: string | null
  /** A code was shown in it. */
  anew: Generated<boolean>
}

/** A conversation of the time before a number was linked, and the ticket that it becomes. */
export type ImportChatTable = {
  id: Generated<number>
  connectionId: number
  companyId: number
  conversation: string
  ticketId: number | null
  uuid: string | null
  begunAt: string | null
  doneAt: string | null
  failures: Generated<number>
}
/** What was said in it. `heard`: until it stands in that ticket; its id stays, so that it is imported once. */
export type ImportMessageTable = {
  connectionId: number
  companyId: number
  externalId: string
  chatId: number
  at: string
  n: Generated<number>
  heard: JSONColumnType<object, string, string> | null
}

/** What a number that is linked by QR code is to WhatsApp, sealed. `replacedAt`: when somebody else's program last ended its session. */
export type WaAccountTable = {
  id: string
  connectionId: number
  companyId: number
  wrapped: Buffer
  wrappedBy: string
  creds: Buffer | null
  replacedAt: string | null
}

/** Which worker processes a connection, and since which claim. */
export type ConnectionLeaseTable = {
  connectionId: number
  companyId: number
  holder: number | null
  number: Generated<number>
  roundTripAt: string | null
  /** The inbound events that the process `inHandBy` has begun. */
  inHand: Generated<number[]>
  inHandBy: string | null
}
