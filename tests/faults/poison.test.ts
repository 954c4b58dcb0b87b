import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chained } from '#app/eventlog/chain.ts'
import type { EventLog } from '#app/eventlog/eventlog.ts'
import { stored } from '#app/eventlog/facts.ts'
import { follow } from '#app/eventlog/follower.ts'
import { type ContactKeys, contactKeys } from '#app/eventlog/keys.ts'
import { postgresLog } from '#app/eventlog/postgres.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { type FreshDatabase, freshDatabase } from '#tests/kit/postgres.ts'
import { eventually } from '#tests/kit/processes.ts'

let database: FreshDatabase
let store: Store
let log: EventLog
let keys: ContactKeys
const done = new AbortController()

beforeAll(async () => {
  database = await freshDatabase()
  store = openStore(database.url, 8)
  await migrate(store.db)
  keys = contactKeys(store.pool, randomBytes(32))
  log = await postgresLog({ connectionString: database.url })
})
afterAll(async () => {
  done.abort()
  await log.close()
  await store.db.destroy()
  await database.drop()
})

it('stops loudly at a poisoned event, applies nothing behind it, and goes on when an operator says so on record', async () => {
  const stream = 'ticket-1-1'
  const stamp = { companyId: 1, by: { kind: 'system' as const }, at: '2026-01-05T12:00:00.000Z' }
  const opened: TicketEvent = {
    ...{ type: 'TicketOpened', ticketId: 1, uuid: crypto.randomUUID(), contactId: 3, connectionId: 1, channel: 'whatsapp', group: false },
    ...{ queueId: null, follows: null },
  }
  const events = [opened, { type: 'TicketQueued', queueId: 13 } as const, { type: 'TicketQueued', queueId: 14 } as const]
  await log.append(
    stream,
    'none',
    chained(
      '',
      stream,
      0n,
      events.map((event, i) => stored(stream, { ...event, ...stamp }, 3, 'poison', i, null)),
    ),
  )

  const applied: string[] = []
  const apply = async (told: { type: string }[]) => {
    for (const event of told) {
      if ('queueId' in event && event.queueId === 13) throw new Error('thirteen')
      applied.push(event.type === 'TicketQueued' ? `queue ${(event as unknown as { queueId: number }).queueId}` : event.type)
    }
  }
  const logger = pino({ level: 'silent' })
  const following = follow(
    { name: 'superstitious', version: 1, from: 'start', apply: async (told) => apply(told) },
    { db: store.db, connectionString: database.url, log, keys, logger },
    done.signal,
  )

  const stopped = await eventually(
    () => store.db.selectFrom('projectorStop').selectAll().executeTakeFirst(),
    (row) => row !== undefined,
  )
  expect(stopped).toMatchObject({ name: 'superstitious', reason: 'thirteen' })
  expect(applied).not.toContain('queue 14')

  await store.db
    .insertInto('projectorSkip')
    .values({ name: 'superstitious', eventId: stopped!.eventId, saidBy: 'operator', reason: 'bad luck' })
    .execute()
  await eventually(
    async () => applied,
    (all) => all.includes('queue 14'),
  )
  expect(await store.db.selectFrom('projectorStop').selectAll().execute()).toEqual([])
  done.abort()
  await following
})
