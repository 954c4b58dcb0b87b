import { type Kysely, sql } from 'kysely'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import { ticketsOf } from './contact-places.ts'

export type SentTo = Pick<OutboxRow, 'ticketId' | 'messageId' | 'externalId' | 'contactId'> & { providerId: string | null }
const newest = 100

/** Records when a message leaves. A person who read the conversation before that time did not read this message. */
export async function leaves(db: Kysely<Database>, connectionId: number, externalId: string): Promise<void> {
  const row = db.updateTable('outbox').set({ leavesAt: sql<string>`app_now()` }).where('connectionId', '=', connectionId)
  await row.where('kind', '=', 'send').where('externalId', '=', externalId).execute()
}

type Sent = { db: Kysely<Database>; connectionId: number; externalId: string }
const sent = ({ db, connectionId, externalId }: Sent) =>
  db.updateTable('outbox').where('connectionId', '=', connectionId).where('kind', '=', 'send').where('externalId', '=', externalId)
/** Records the number of parts before the first is sent, so that a crash leaves a record of the parts that are missing. */
export async function leavesInParts(of: Sent, parts: number): Promise<void> {
  await sent(of).set({ partsDue: parts, partIds: [] }).execute()
}
/** Records a sent part. The first part has the id of the whole message, the others have their own. A repeated call changes nothing. */
export async function partLeft(of: Sent, id: string, first: boolean): Promise<void> {
  const known = sql<boolean>`coalesce(provider_id, '') <> ${id} and not part_ids @> array[${id}::text]`
  const named = first ? { providerId: id } : { partIds: sql<string[]>`part_ids || ${id}::text` }
  await sent(of)
    .set({ partsDue: sql`greatest(parts_due - 1, 0)`, ...named })
    .where(known)
    .execute()
}

export type Outgone = SentTo & Pick<OutboxRow, 'n' | 'state' | 'partIds'>
/**
 * Returns the messages that were sent under these ids, our own or the provider's. Each id is looked up by one key at a time. With a condition
 * on both keys, and few statistics, Postgres reads every row of the connection (2.6 ms for 6,000 rows).
 */
export const sentAs = createStoreBatchLoader(
  async (db: Kysely<Database>, asked: { connectionId: number; ids: string[] }[]): Promise<Outgone[][]> => {
    const each = asked.flatMap(({ connectionId, ids }, at) => ids.map((id) => ({ at, connectionId, id })))
    const columns = sql`n, ticket_id, message_id, external_id, provider_id, contact_id, state, part_ids`
    const { rows } = await sql<Outgone & { at: number }>`
    select w.at, o.* from unnest(${each.map(({ at }) => at)}::int[], ${each.map(({ connectionId }) => connectionId)}::int[], ${each.map(({ id }) => id)}::text[])
        as w(at, connection_id, id)
      cross join lateral (
        select ${columns} from outbox where connection_id = w.connection_id and kind = 'send' and external_id = w.id
        union select ${columns} from outbox where connection_id = w.connection_id and kind = 'send' and provider_id = w.id) o
    order by o.n`.execute(db)
    const found = Map.groupBy(rows, ({ at }) => at)
    return asked.map((_, at) => [...new Map((found.get(at) ?? []).map(({ at: _, ...row }) => [row.n, row])).values()])
  },
)

type To = { connectionId: number; contactIds: number[] }
/**
 * Returns the messages sent to a person until a moment, or before message `n`: the newest of each ticket, because older ones have receipts.
 * Messages with an unknown outcome are left out, because the person may never have received them.
 */
export async function sentUntil(db: Kysely<Database>, to: To, until: { at: string } | { n: number }): Promise<SentTo[]> {
  const isBefore = 'at' in until ? sql<boolean>`coalesce(leaves_at, created_at) <= ${until.at}` : sql<boolean>`n < ${until.n}`
  const { rows } = await sql<SentTo>`
    select o.* from unnest(${await ticketsOf(db, to)}::int[]) as t(id) cross join lateral (
      select ticket_id, message_id, external_id, provider_id, contact_id from outbox
      where ticket_id = t.id and connection_id = ${to.connectionId} and kind = 'send' and state = 'taken' and ${isBefore}
      order by revision desc limit ${newest}) o`.execute(db)
  return rows
}
