import { type Kysely, sql } from 'kysely'
import { prefixOf } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import { standsAt } from '#projections/shadow-tables.ts'
import { ConfigError } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Meta } from '../event-store/event-codec.ts'
import type { EventStore, StoredEvent } from '../event-store/event-store.ts'
import { projectors, streamPrefixes } from '../modules.ts'
import { createProjectionWaiter } from '../projection/wait-for-projection.ts'
import { openProjector } from '../roles/projector.ts'
import { reclaim } from '../ticket/active-ticket-registry.ts'
import { raise, type Sequences, sequencesIn } from './tables.ts'

/*
 * The log and the tables may be two stores, and each may have been put back from a copy of its own age (A-OPS-02). Before a process takes
 * or answers anything, it looks whether they belong together.
 */

/** Throws where the log does not have what the tables came to: it is older than they are, or another one. */
async function provenSame({ db, eventStore }: Pick<AppContext, 'db' | 'eventStore'>): Promise<void> {
  const rows = await db
    .selectFrom('checkpoint')
    .select(['name', 'position', 'eventStream', 'eventRevision', 'eventThere'])
    .where('eventStream', 'is not', null)
    .orderBy('position', 'desc')
    .execute()
  for (const { name, position, eventStream: stream, eventRevision: revision, eventThere: there } of rows) {
    const [event] = (await eventStore.read(stream!, BigInt(revision!), 1)).events
    if (event?.id === there) continue
    const head = await endOf(eventStore)
    throw new ConfigError([
      `the log is an older copy than the tables, or another log: “${name}” came to event ${there} (${stream} at ${revision}, position ${position}), and the log, which ends at position ${head ?? 'none'}, ${event ? 'has another event there' : 'has none there'}. Put the right log back, or take this one for the truth: npm run rebuild -- --from-log`,
    ])
  }
}

/** Where the newest event of any of our streams stands. */
async function endOf(eventStore: EventStore): Promise<bigint | null> {
  const heads = await Promise.all(streamPrefixes.map((prefix) => eventStore.readHeadPosition(prefix)))
  return heads.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null)
}

type Numbers = { highest: Record<string, number>; contacts: Map<number, number> }
/** By the names that fields of events have; `tests/invariants/numbers` holds that none is forgotten. */
export const sequenceOf: Record<string, string> = {
  ...{ ticketId: 'ticket_id', follows: 'ticket_id', messageId: 'message_id', quotedId: 'message_id', noteId: 'note_id' },
  ...{ contactId: 'contact_id_seq', connectionId: 'connection_id_seq', tagId: 'tag_id_seq', fromTagId: 'tag_id_seq' },
  ...{ userId: 'user_id_seq', fromUserId: 'user_id_seq', retiredUserId: 'user_id_seq' },
  ...{ queueId: 'queue_id_seq', fromQueueId: 'queue_id_seq', retiredQueueId: 'queue_id_seq' },
}

/** Every number that tables gave out and an event holds. */
function gather({ highest, contacts }: Numbers, { data, meta }: StoredEvent): void {
  const note = (sequence: string | undefined, value: unknown) => {
    if (sequence && typeof value === 'number') highest[sequence] = Math.max(highest[sequence] ?? 0, value)
  }
  const walk = (fields: object) => {
    for (const [field, value] of Object.entries(fields)) {
      note(sequenceOf[field], value)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) walk(value)
    }
  }
  const { contactId, companyId, by } = meta as unknown as Meta
  walk(data)
  if (by.kind === 'user') note('user_id_seq', by.id)
  if (contactId === undefined) return
  note('contact_id_seq', contactId)
  contacts.set(contactId, companyId)
}

/** What the log holds behind the place that the tables came to. */
async function behind(db: Kysely<Database>, eventStore: EventStore): Promise<Numbers> {
  const found: Numbers = { highest: {}, contacts: new Map() }
  const enough = new AbortController()
  for (const of of projectors)
    for await (const { events, caughtUp } of eventStore.subscribe(await standsAt(db, of), prefixOf(of.of), enough.signal)) {
      for (const event of events) gather(found, event)
      if (caughtUp) break
    }
  enough.abort()
  return found
}

/** Looks whether log and tables belong together. Tables of an older copy come up to the log before anything is taken. */
export async function reconcileStores(ctx: AppContext): Promise<void> {
  const { db, eventStore, pool, logger } = ctx
  await provenSame(ctx)
  const { highest, contacts } = await behind(db, eventStore)
  const client = await pool.connect()
  try {
    const given = await sequencesIn(client)
    const above = Object.entries(highest).filter(([name, last]) => last > Number(given[name] ?? 0))
    if (above.length === 0) return
    const to: Sequences = Object.fromEntries(above.map(([name, last]) => [name, String(last)]))
    await raise(client, to)
    logger.warn({ numbers: to }, 'the tables are an older copy than the log: they catch up before anything is taken')
    const lost = await placeholders(db, contacts)
    if (lost.length > 0)
      logger.warn({ contacts: lost }, 'the keys of these contacts are lost with the newer tables: their words stay sealed')
    await caughtUp(ctx)
    await reclaim(db)
    logger.warn('the tables have caught up with the log')
  } finally {
    client.release()
  }
}

/** Stands for each contact that only the log knows, under its number, so that nobody else gets it. Answers which. */
async function placeholders(db: Kysely<Database>, contacts: Map<number, number>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${[...contacts.keys()]}::int[]) as l(id) where not exists (select from contact where contact.id = l.id)`.execute(
    db,
  )
  const lost = rows.map(({ id }) => id)
  if (lost.length === 0) return []
  const companies = lost.map((id) => contacts.get(id)!)
  await sql`insert into contact (id, company_id, name, number, number_key, channel, active) overriding system value
    select id, company_id, '⌫ ' || id, 'lost-' || id, 'lost-' || id, 'whatsapp', false
    from unnest(${lost}::int[], ${companies}::int[]) as l(id, company_id)`.execute(db)
  await sql`insert into contact_key (company_id, contact_id, wrapped, destroyed_at)
    select company_id, id, null, now() from unnest(${lost}::int[], ${companies}::int[]) as l(id, company_id) on conflict do nothing`.execute(
    db,
  )
  return lost
}

async function caughtUp(ctx: AppContext): Promise<void> {
  const { db, eventStore, notifications } = ctx
  const enough = new AbortController()
  const projecting = openProjector(ctx, enough.signal)
  for (const { name, of } of projectors) {
    const [reached, head] = [createProjectionWaiter([name], db, notifications), await eventStore.readHeadPosition(prefixOf(of))]
    while (!(await reached(head)));
  }
  enough.abort()
  await projecting
}

/** Takes the log for the truth: nobody goes on from a place that it does not have, and nothing is done again. */
export async function forgetProgress({ db, eventStore }: Pick<AppContext, 'db' | 'eventStore'>): Promise<void> {
  const head = (await endOf(eventStore)) ?? -1n
  const built = projectors.map(({ name }) => name)
  await db.deleteFrom('checkpoint').where('name', 'in', built).execute()
  await db
    .updateTable('checkpoint')
    .set({ position: String(head), eventId: null, eventAt: null, eventStream: null, eventRevision: null, eventThere: null })
    .execute()
}
