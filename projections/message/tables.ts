import type { Generated, JSONColumnType } from 'kysely'
import type { Cause } from '#domain/decider.ts'

/** What is on its way to a provider, and what was. */
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
  /** How often the channel put it off. */
  putOff: Generated<number>
  /** How often a fault of ours kept it. */
  faults: Generated<number>
  dueAt: Generated<string>
  /** How long it leaves behind what left before it to the same person. */
  gapMs: Generated<number>
  createdAt: Generated<string>
  /** When it set out, its file being there, where marks name a moment. */
  leavesAt: string | null
  providerId: string | null
  /** Of what goes as several messages: how many have not left yet, and the provider's ids of those behind the first. */
  partsDue: Generated<number>
  partIds: string[] | null
  cause: JSONColumnType<Cause, string, string> | null
}
