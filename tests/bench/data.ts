import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Kysely, sql } from 'kysely'
import { pino } from 'pino'
import { anchored } from '#app/anchor/make.ts'
import { createMasterKeyFile } from '#app/bootstrap/databases.ts'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import { startPostgres } from '#app/embedded/database.ts'
import { idFrom } from '#app/event-store/event-codec.ts'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import { rebuild } from '#app/event-store/rebuild.ts'
import { moveCheckpoint } from '#app/event-store/run-processor.ts'
import { streamKinds } from '#app/modules.ts'
import { openJobs } from '#app/scheduler/jobs.ts'
import type { Database } from '#projections/database.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { type BenchPlace, furnish, type Size } from './place.ts'
import { contactOf, endOf } from './talk.ts'
import type { Share } from './writer.ts'

/** Only while the data set is created, Postgres does not wait for the disk. */
const hasty = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '8GB', maintenance_work_mem: '512MB' }

/** Creates the data set in a folder, or uses the existing one. */
export async function dataSet(dataDir: string, size: Size): Promise<BenchPlace> {
  const file = path.join(dataDir, 'place.json')
  if (existsSync(file)) {
    const place = JSON.parse(readFileSync(file, 'utf8')) as BenchPlace
    if (JSON.stringify(place.size) === JSON.stringify(size)) return place
    throw new Error(`${dataDir} holds another data set: ${JSON.stringify(place.size)}`)
  }
  const postgres = await startPostgres({ dataDir, settings: hasty })
  try {
    const place = await make(postgres.url, await createMasterKeyFile(dataDir), size)
    writeFileSync(file, JSON.stringify(place))
    return place
  } finally {
    await postgres.stop()
  }
}

async function make(url: string, masterKey: Buffer, size: Size): Promise<BenchPlace> {
  const began = performance.now()
  const told = (what: string) => console.log(`  ${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`)
  const { db, pool } = openStore(url, 4)
  await migrate(db)
  const jobs = await openJobs({ databaseUrl: url, redisUrl: null, logger: pino({ level: 'silent' }) })
  await jobs.close()
  const place: BenchPlace = { ...(await furnish(db, masterKey, size)), longUuid: idFrom(`bench/${size.seed}/${size.tickets + 1}`) }
  told(`${size.contacts} contacts and ${place.admins.length + place.agents.length} people`)

  const parts = 2
  const made = await Promise.all(
    Array.from({ length: parts }, (_, part) => share({ url, masterKey: masterKey.toString('base64'), activeTickets: place, part, parts })),
  )
  const sum = (field: 'events' | 'messages') => made.reduce((all, one) => all + one[field], 0)
  told(`${sum('events')} events, ${sum('messages')} messages, sealed, chained and signed`)
  await sql`select setval('ticket_id', ${size.tickets + 2}), setval('message_id', ${(size.tickets + 100) * 16 + 2 * size.longest + size.endless})`.execute(
    db,
  )
  await claimPlaces(url, place)

  const log = await createPostgresEventStore({ connectionString: url })
  const { events, sums } = await rebuild(ticketProjector, {
    db,
    connectionString: url,
    eventStore: log,
    contactKeys: contactKeys(pool, masterKey, { most: 50_000 }),
  })
  told(`${events} events projected: ${sums.map(({ table, rows }) => `${rows} ${table}`).join(', ')}`)
  await log.close()
  await sql`drop schema if exists previous cascade`.execute(db)
  await sql`update checkpoint set position = (select max(position) from event)`.execute(db) // a running app has processed all reactions
  const head = await headOf(db)
  for (const { name } of anchored(streamKinds)) await moveCheckpoint(db, { name, version: 1 }, [], head) // and has anchored it
  await sql`vacuum analyze`.execute(db).catch((error) => console.error(String(error)))
  told('analysed')
  await db.destroy()
  return place
}

async function headOf(db: Kysely<Database>): Promise<bigint> {
  const { rows } = await sql<{ position: string }>`select max(position) as position from event`.execute(db)
  return BigInt(rows[0]!.position)
}

function share(data: Share): Promise<{ events: number; messages: number }> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: data })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

/** Inserts the active tickets, as their claims before the first append would have done. */
async function claimPlaces(url: string, place: BenchPlace): Promise<void> {
  const { companyId, connectionId, size } = place
  const active = Array.from({ length: size.tickets }, (_, k) => k + 1).filter((i) => endOf(i, place) !== 'closed')
  const { db } = openStore(url, 1)
  await sql`
    insert into active_ticket (company_id, connection_id, contact_id, ticket_id, uuid)
    select ${companyId}::int, ${connectionId}::int, c, t, u
    from unnest(${active.map((i) => contactOf(i, place))}::int[], ${active}::int[], ${active.map((i) => idFrom(`bench/${size.seed}/${i}`))}::uuid[]) as a(c, t, u)`.execute(
    db,
  )
  await db.destroy()
}
