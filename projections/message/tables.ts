import type { Generated, JSONColumnType } from 'kysely'
import type { Cause } from '#domain/decider.ts'

/** Outbound messages and changes, in flight or done. */
export type OutboxTable = {
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
  /** How often the channel postponed it. */
  putOff: Generated<number>
  /** How often an internal error delayed it. */
  faults: Generated<number>
  dueAt: Generated<string>
  /** Minimum delay after the previous message to the same person. */
  gapMs: Generated<number>
  createdAt: Generated<string>
  /** When it was sent, for receipts that name a time. */
  leavesAt: string | null
  providerId: string | null
  /** For a message sent in parts: how many are unsent, and the provider ids of the later parts. */
  partsDue: Generated<number>
  partIds: string[] | null
  cause: JSONColumnType<Cause, string, string> | null
}
