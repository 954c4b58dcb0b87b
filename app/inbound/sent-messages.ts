import { type Kysely, sql } from 'kysely'
import { gatheredBy } from '#projections/batch-loader.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import { ticketsOf } from './contact-places.ts'

export type SentTo = Pick<OutboxRow, 'ticketId' | 'messageId' | 'externalId' | 'contactId'> & { providerId: string | null }
const newest = 100

/** It sets out now: what it waited for until then does not count as read by who read meanwhile. */
export async function leaves(db: Kysely<Database>, connectionId: number, externalId: string): Promise<void> {
  const row = db.updateTable('outbox').set({ leavesAt: sql<string>`app_now()` }).where('connectionId', '=', connectionId)
  await row.where('kind', '=', 'send').where('externalId', '=', externalId).execute()
}

type Sent = { db: Kysely<Database>; connectionId: number; externalId: string }
const sent = ({ db, connectionId, externalId }: Sent) =>
  db.updateTable('outbox').where('connectionId', '=', connectionId).where('kind', '=', 'send').where('externalId', '=', externalId)
/** It goes as so many messages, none of which has left yet: by what is written down of each it is known what a crash leaves undone. */
export async function leavesInParts(of: Sent, parts: number): Promise<void> {
  await sent(of).set({ partsDue: parts, partIds: [] }).execute()
}
/** One of them is there: the first under the id of the whole, the others under ids of their own. Told twice it counts once. */
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
 * What was sent under these ids, our own or the provider's. Each is looked for by its key alone: asked for by one or the other at once, Postgres
 * reads all that a connection ever sent where it knows little of the table yet (2.6 ms of 6,000).
 */
export const sentAs = gatheredBy(async (db: Kysely<Database>, asked: { connectionId: number; ids: string[] }[]): Promise<Outgone[][]> => {
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
})

type To = { connectionId: number; contactIds: number[] }
/**
 * What went to somebody until a moment, or before another of those: the newest of each ticket, for what became of the rest was told before.
 * What nobody knows of is not among it: who read the rest may never have got it.
 */
export async function sentUntil(db: Kysely<Database>, to: To, until: { at: string } | { n: number }): Promise<SentTo[]> {
  const then = 'at' in until ? sql<boolean>`coalesce(leaves_at, created_at) <= ${until.at}` : sql<boolean>`n < ${until.n}`
  const { rows } = await sql<SentTo>`
    select o.* from unnest(${await ticketsOf(db, to)}::int[]) as t(id) cross join lateral (
      select ticket_id, message_id, external_id, provider_id, contact_id from outbox
      where ticket_id = t.id and connection_id = ${to.connectionId} and kind = 'send' and state = 'taken' and ${then}
      order by revision desc limit ${newest}) o`.execute(db)
  return rows
}
