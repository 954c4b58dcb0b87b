import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import { storable } from '#projections/row-writer.ts'
import type { InboundEvent } from '../channels/channel.ts'

export type NewJournalEntry = { companyId: number; connectionId: number; externalId: string; conversation: string; payload: InboundEvent }

/** Suffix of the id of a message that cannot be decrypted yet, so that its content can arrive later under the message's own id. */
export const placeholder = ':undecryptable'
/** Returns the id of the journal row: for a message the provider's id. */
export const idOf = ({ externalId, payload }: Pick<NewJournalEntry, 'externalId' | 'payload'>) =>
  payload.type === 'message' && payload.undecryptable ? `${externalId}${placeholder}` : externalId

/** The ids of every provider are shorter. A made-up longer id could exceed the size of an index entry. */
const mostLetters = { message: 512, person: 128 }
/** Whether a message id has an allowed length. */
export const isId = (externalId: string): boolean => externalId.length <= mostLetters.message
const isPerson = (id: string): boolean => id.length <= mostLetters.person
function isBounded({ externalId, conversation, payload }: NewJournalEntry): boolean {
  const who = [...('from' in payload ? payload.from : []), ...('to' in payload ? (payload.to ?? []) : [])]
  return isId(externalId) && isPerson(conversation) && who.every(({ id }) => isPerson(id))
}
/** Identifies an id in a log line, which must not contain the phone number that an id may encode. */
const shortOf = (externalId: string) => createHash('sha256').update(externalId).digest('base64url').slice(0, 12)
/** Drops entries with ids that are too long, with one log line. They are still confirmed, because a redelivery would be dropped too. */
export function bounded(entries: NewJournalEntry[], logger: Pick<Logger, 'warn'>): NewJournalEntry[] {
  const oversized = entries.filter((entry) => !isBounded(entry))
  if (oversized.length === 0) return entries
  const { companyId, connectionId, externalId } = oversized[0]!
  logger.warn(
    { companyId, connectionId, externalId: shortOf(externalId), n: oversized.length },
    'Inbound events dropped; provider id is too long',
  )
  return entries.filter(isBounded)
}

/**
 * Writes inbound events to the journal before anything is confirmed to the provider. Each id is stored once. Returns the ids that are new.
 * The caller then calls `wakeWorker`.
 */
export async function recordInbound(db: Kysely<Database> | Transaction<Database>, entries: NewJournalEntry[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set()
  const all = entries.map((entry) => ({ ...entry, externalId: idOf(entry) }))
  const { rows } = await sql<{ externalId: string }>`
    insert into inbound_event (company_id, connection_id, external_id, conversation, payload)
    select * from jsonb_to_recordset(${storable(all)}::jsonb)
      as t("companyId" integer, "connectionId" integer, "externalId" text, conversation text, payload jsonb)
    on conflict (connection_id, external_id) do nothing
    returning external_id`.execute(db)
  return new Set(rows.map(({ externalId }) => externalId))
}

/** A provider may redeliver an event for this long. Rows of messages and calls stay, because a history import compares their ids. */
const retention = sql`interval '30 days'`
export const forgottenAt = sql<string | null>`
  case when refused is null and payload->>'type' not in ('message', 'call') then now() + ${retention} end`
const atOnce = 10_000
/** Deletes expired journal rows of receipts, reactions, edits and removals. */
export async function forgetExpired({ db }: { db: Kysely<Database> }): Promise<void> {
  for (let deleted = atOnce; deleted === atOnce; ) {
    const expired = db.selectFrom('inboundEvent').select('id').where('forgetAt', '<', sql<string>`now()`).limit(atOnce)
    deleted = Number((await db.deleteFrom('inboundEvent').where('id', 'in', expired).executeTakeFirst()).numDeletedRows)
  }
}
