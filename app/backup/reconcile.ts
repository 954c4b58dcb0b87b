import { type Kysely, sql } from 'kysely'
import { prefixOf } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import { readCheckpoint } from '#projections/shadow-tables.ts'
import { ConfigError } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Meta } from '../event-store/event-codec.ts'
import { type EventStore, isJsonObject, type StoredEvent } from '../event-store/event-store.ts'
import { projectors, streamPrefixes } from '../modules.ts'
import { createProjectionWaiter } from '../projection/wait-for-projection.ts'
import { openProjector } from '../roles/projector.ts'
import { reclaim } from '../ticket/active-ticket-rows.ts'
import { raise, type Sequences, sequencesIn } from './tables.ts'

/*
 * The event store and the tables may be two databases, restored from copies of different ages (A-OPS-02). Before a process accepts any
 * work, it checks that both belong together.
 */

/** Throws if the event store lacks an event that the tables contain: it is older than the tables, or another store. */
async function assertSameHistory({ db, eventStore }: Pick<AppContext, 'db' | 'eventStore'>): Promise<void> {
  const rows = await db
    .selectFrom('checkpoint')
    .select(['name', 'position', 'eventStream', 'eventRevision', 'eventId'])
    .where('eventStream', 'is not', null)
    .orderBy('position', 'desc')
    .execute()
  for (const { name, position, eventStream: stream, eventRevision: revision, eventId } of rows) {
    const [event] = (await eventStore.read(stream!, BigInt(revision!), 1)).events
    if (event?.id === eventId) continue
    const head = await endOf(eventStore)
    throw new ConfigError([
      `the log is an older copy than the tables, or another log: “${name}” came to event ${eventId} (${stream} at ${revision}, position ${position}), and the log, which ends at position ${head ?? 'none'}, ${event ? 'has another event there' : 'has none there'}. Put the right log back, or take this one for the truth: npm run rebuild -- --from-log`,
    ])
  }
}

/** The position of the newest event of all our streams. */
async function endOf(eventStore: EventStore): Promise<bigint | null> {
  const heads = await Promise.all(streamPrefixes.map((prefix) => eventStore.readHeadPosition(prefix)))
  return heads.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null)
}

type Numbers = { highest: Record<string, number>; contacts: Map<number, number> }
/** The sequence of each id field in events; `tests/invariants/numbers` checks that none is missing. */
export const sequenceOf: Record<string, string> = {
  ...{ ticketId: 'ticket_id', predecessorId: 'ticket_id', messageId: 'message_id', quotedId: 'message_id', noteId: 'note_id' },
  ...{ contactId: 'contact_id_seq', connectionId: 'connection_id_seq', tagId: 'tag_id_seq', fromTagId: 'tag_id_seq' },
  ...{ userId: 'user_id_seq', fromUserId: 'user_id_seq', retiredUserId: 'user_id_seq' },
  ...{ queueId: 'queue_id_seq', fromQueueId: 'queue_id_seq', retiredQueueId: 'queue_id_seq' },
}

/** Collects the ids in an event that came from sequences. */
function gather({ highest, contacts }: Numbers, { data, meta }: StoredEvent): void {
  const note = (sequence: string | undefined, value: unknown) => {
    if (sequence && typeof value === 'number') highest[sequence] = Math.max(highest[sequence] ?? 0, value)
  }
  const walk = (fields: object) => {
    for (const [field, value] of Object.entries(fields)) {
      note(sequenceOf[field], value)
      if (isJsonObject(value)) walk(value)
    }
  }
  const { contactId, companyId, by } = meta as unknown as Meta
  walk(data)
  if (by.kind === 'user') note('user_id_seq', by.id)
  if (contactId === undefined) return
  note('contact_id_seq', contactId)
  contacts.set(contactId, companyId)
}

/** The ids in events that the tables have not processed yet. */
async function findUnprocessedNumbers(db: Kysely<Database>, eventStore: EventStore): Promise<Numbers> {
  const found: Numbers = { highest: {}, contacts: new Map() }
  const enough = new AbortController()
  for (const of of projectors)
    for await (const { events, caughtUp } of eventStore.subscribe(await readCheckpoint(db, of), prefixOf(of.of), enough.signal)) {
      for (const event of events) gather(found, event)
      if (caughtUp) break
    }
  enough.abort()
  return found
}

/** Checks that event store and tables belong together. Older tables catch up with the event store before any work is accepted. */
export async function reconcileStores(ctx: AppContext): Promise<void> {
  const { db, eventStore, pool, logger } = ctx
  await assertSameHistory(ctx)
  const { highest, contacts } = await findUnprocessedNumbers(db, eventStore)
  const client = await pool.connect()
  try {
    const given = await sequencesIn(client)
    const above = Object.entries(highest).filter(([name, last]) => last > Number(given[name] ?? 0))
    if (above.length === 0) return
    const to: Sequences = Object.fromEntries(above.map(([name, last]) => [name, String(last)]))
    await raise(client, to)
    logger.warn({ numbers: to }, 'Tables are older than the event store; catching up')
    const lost = await insertPlaceholders(db, contacts)
    if (lost.length > 0) logger.warn({ contacts: lost }, 'Contact keys lost; their personal fields stay sealed')
    await catchUp(ctx)
    await reclaim(db)
    logger.warn('Tables have caught up with the event store')
  } finally {
    client.release()
  }
}

/** Inserts a placeholder for each contact that only the event store knows, so that no id is assigned again. Returns their ids. */
async function insertPlaceholders(db: Kysely<Database>, contacts: Map<number, number>): Promise<number[]> {
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

async function catchUp(ctx: AppContext): Promise<void> {
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

/** Accepts the event store as the truth: projectors start again, and reactors continue at its end, so that no reaction repeats. */
export async function forgetProgress({ db, eventStore }: Pick<AppContext, 'db' | 'eventStore'>): Promise<void> {
  const head = (await endOf(eventStore)) ?? -1n
  const built = projectors.map(({ name }) => name)
  await db.deleteFrom('checkpoint').where('name', 'in', built).execute()
  await db
    .updateTable('checkpoint')
    .set({ position: String(head), eventId: null, eventAt: null, eventStream: null, eventRevision: null })
    .execute()
}
