import { type Kysely, sql } from 'kysely'
import type { ContactKeys } from '#app/crypto/contact-keys.ts'
import { decodeEvents } from '#app/event-store/event-codec.ts'
import type { EventStore } from '#app/event-store/event-store.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import { openStore } from '#projections/postgres.ts'
import { type PersistedEvent, type Projector, project } from '#projections/projector.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'

export type Source = { db: Kysely<Database>; connectionString: string; eventStore: EventStore; contactKeys: ContactKeys }
export type Tables = Record<string, unknown[]>

/** Every table that the ticket projector fills. */
export const tables = [
  'ticket',
  'ticket_counter',
  'ticket_log',
  'message',
  'note',
  'ticket_history',
  'traffic',
  'traffic_sum',
  'ticket_fact',
  'ticket_interval',
  'ticket_closing',
] as const

/** All rows of the projector's tables, in a fixed order. */
export async function rowsOf(db: Kysely<Database>, schema = 'public'): Promise<Tables> {
  const all: Tables = {}
  for (const table of tables) {
    const { rows } = await sql<{ row: object }>`
      select to_jsonb(one) as row from ${sql.id(schema, table)} one order by to_jsonb(one)::text collate "C"`.execute(db)
    all[table] = rows.map(({ row }) => row)
  }
  return all
}

/** Folds these events in batches into empty tables of a separate schema, and returns the rows. */
export async function folded(
  { db, connectionString }: Pick<Source, 'db' | 'connectionString'>,
  told: PersistedEvent<TicketEvent>[],
  { batch = 500, twice = false }: { batch?: number; twice?: boolean } = {},
): Promise<Tables> {
  const schema = `fold_${crypto.randomUUID().slice(0, 8)}`
  await sql`create schema ${sql.id(schema)}`.execute(db)
  for (const table of [...tables, 'checkpoint'])
    await sql`create table ${sql.id(schema, table)} (like ${sql.id('public', table)} including all)`.execute(db)
  const side = openStore(connectionString, 2, `${schema},public`)
  const of: Projector<TicketEvent> = { ...ticketProjector, name: `${ticketProjector.name}@${schema}` }
  try {
    for (let from = 0; from < told.length; from += batch) {
      const some = told.slice(from, from + batch)
      for (let time = twice ? 2 : 1; time > 0; time--) await project(side.pool, of, some, some.at(-1)!.position)
    }
    if (twice) await project(side.pool, of, told, told.at(-1)?.position ?? 0n)
    return await rowsOf(db, schema)
  } finally {
    await side.db.destroy()
    await sql`drop schema ${sql.id(schema)} cascade`.execute(db)
  }
}

/** Every event of the log from the first. */
export async function wholeLog({
  eventStore,
  contactKeys,
}: Pick<Source, 'eventStore' | 'contactKeys'>): Promise<PersistedEvent<TicketEvent>[]> {
  const told: PersistedEvent<TicketEvent>[] = []
  const enough = new AbortController()
  for await (const { events, caughtUp } of eventStore.subscribe(null, 'ticket-', enough.signal)) {
    told.push(...(await decodeEvents<TicketEvent>(ticketStream, events, contactKeys)))
    if (caughtUp) break
  }
  enough.abort()
  return told
}

/** The live tables and a fresh fold of the whole log, to be compared row for row. */
export async function recomputeReadModels(source: Source): Promise<{ live: Tables; fresh: Tables }> {
  return { live: await rowsOf(source.db), fresh: await folded(source, await wholeLog(source)) }
}
