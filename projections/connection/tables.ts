import type { Generated, JSONColumnType } from 'kysely'
import type { MetaProduct } from '#domain/channel/channels.ts'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import type { ConnectionFields } from '#domain/connection-settings/contract.ts'
import type { Schedules } from '#domain/hours/contract.ts'

type Row = Omit<ConnectionFields, 'schedules'> &
  Pick<ConnectionRow, 'companyId' | 'status' | 'number' | 'reason' | 'silentSince' | 'unleasedSince' | 'updatedAt'> & {
    /** When its admins were notified of the outage. */
    outageNotifiedAt: string | null
    /** When the outage ended; its admins are not notified yet. */
    backAt: string | null
    /** Since when it has its current number; null: the number never changed. */
    numberSince: string | null
    /** Until when its channel forbids new conversations. */
    noNewChatsUntil: string | null
    version: number
    qrcode: string
    /** State of the import of earlier messages. */
    statusImportMessages: string | null
    /** Imported conversations, and their total. */
    importDone: number
    importAll: number
  }
type Given = 'companyId' | 'name' | 'channel' | 'provider' | 'status'

export type ConnectionTable = Pick<Row, Given> & { [N in Exclude<keyof Row, Given>]: Generated<Row[N]> } & {
  id: Generated<number>
  schedules: JSONColumnType<Schedules, string | undefined, string>
}
/** The API key of a connection, whose id is text here. It is encrypted and found by its hash (A-CONN-08). */
export type ConnectionTokenTable = { id: string; companyId: number; hash: string; wrapped: Buffer; wrappedBy: string }
/** The Meta account of a connection, whose id is text here. `hook`: the end of its webhook URL. */
export type MetaAccountTable = {
  id: string
  companyId: number
  product: MetaProduct
  /** The id of a phone number, page or Instagram account. */
  accountId: string
  /** The business account of a phone number; the page of an Instagram account. */
  businessId: string | null
  hook: string
  tokenExpiresAt: string | null
  /** When its company was notified that the token expires soon. */
  expiryNotifiedAt: string | null
  /** When Meta first called the webhook URL; null: not yet. */
  hookProvenAt: string | null
  wrapped: Buffer
  wrappedBy: string
}
/** A login attempt at Meta: the hash of its state, and the encrypted token. */
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
/** A gap in a connection, written by a Postgres trigger on its row. `reason`: null if a user disconnected it. */
export type ConnectionGapTable = {
  id: Generated<number>
  companyId: number
  connectionId: number
  beganAt: string
  endedAt: string | null
  reason: string | null
  /** A linking code was shown during the gap. */
  anew: Generated<boolean>
}

/** A conversation from before the number was linked, and the ticket that is created from it. */
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
/**
 * A message of such a conversation. `payload`: its event, until it is in the ticket. The id stays, so that it
 * is imported once.
 */
export type ImportMessageTable = {
  connectionId: number
  companyId: number
  externalId: string
  chatId: number
  at: string
  n: Generated<number>
  payload: JSONColumnType<object, string, string> | null
}

/**
 * The WhatsApp account of a number linked by QR code, encrypted. `replacedAt`: when another program last took
 * over its session.
 */
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
