import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assertStoresConsistent } from '#tests/support/assert-stores-consistent.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { type Client, client, type Running, signIn, startProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/wait.ts'

const masterKey = randomBytes(32)
const many = 20
let database: FreshDatabase
let dataDir: string
let env: Record<string, string>
let server: Running
let store: pg.Client
let admin: Client
let old: number
let fresh: number
const tickets: number[] = []

beforeAll(async () => {
  database = await freshDatabase()
  dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-retire-'))
  await chmod(dataDir, 0o755)
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64'), DEMO: '1', SANDBOX: '1' }
  server = await startProcess(env)
  store = new pg.Client({ connectionString: database.url })
  await store.connect()
  const { token, user } = await signIn(() => server.url, 'admin@demo.test')
  admin = client(() => server.url, token)
  old = (await admin('POST', '/queue', { name: 'Antiga', color: '#a1b2c3' })).body.id
  fresh = (await admin('POST', '/queue', { name: 'Nova', color: '#c3b2a1' })).body.id
  for (const id of [old, fresh])
    await store.query('insert into user_queue (company_id, user_id, queue_id) values (1, $1, $2)', [user.id, id])
  for (let i = 0; i < many; i++) {
    const contact = await admin('POST', '/contacts', { name: `Espera ${i}`, number: `55119555001${String(i).padStart(2, '0')}` })
    const opened = await admin('POST', '/tickets', { contactId: contact.body.id, queueId: old, status: 'pending' })
    expect(opened.status, JSON.stringify(opened.body)).toBeLessThan(300)
    tickets.push(opened.body.id)
  }
})
afterAll(async () => {
  await server?.stop()
  await store?.end()
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const retire = (commandId: string) => admin('DELETE', `/queue/${old}?moveTo=${fresh}`, undefined, commandId)
const killed = (asked: Promise<unknown>) => Promise.all([server.kill(), asked.catch(() => undefined)])
const count = async (text: string, values: unknown[] = []): Promise<number> => Number((await store.query(text, values)).rows[0].n)
const inQueue = (id: number) => count('select count(*) as n from ticket where id = any($1) and queue_id = $2', [tickets, id])
const inGone = () =>
  count(`select count(*) as n from ticket join queue on queue.id = queue_id where status <> 'closed' and retired_at is not null`)
const stands = () => count('select count(*) as n from queue where id = $1 and retired_at is null', [old])
const held = (text: string) =>
  eventually(
    () => count(`select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and query ilike $1`, [text]),
    (n) => n > 0,
  )

it('a queue is retired even if a process is killed while its tickets move (A-QUEUE-01)', async () => {
  const command = crypto.randomUUID()
  await store.query(`
    create function hold_moves() returns trigger language plpgsql as $$ begin
      if new.type = 'TicketQueued' and (select count(*) from event where type = new.type and data ->> 'queueId' = '${fresh}') >= 5 then
        perform pg_advisory_xact_lock_shared(4711);
      end if;
      return new;
    end $$;
    create trigger hold_moves before insert on event for each row execute function hold_moves();
    select pg_advisory_lock(4711)`)
  const first = retire(command)
  await eventually(
    () => count(`select count(*) as n from pg_locks where locktype = 'advisory' and objid = 4711 and not granted`),
    (n) => n > 0,
  )
  await killed(first)
  await store.query('select pg_advisory_unlock(4711)')
  await store.query('drop trigger hold_moves on event')
  expect([await stands(), await inGone()]).toEqual([1, 0])

  server = await startProcess(env)
  const moved = await eventually(
    () => inQueue(fresh),
    (n) => n >= 5,
  )
  expect(moved).toBeLessThan(many)
  expect(await inQueue(old)).toBe(many - moved)
  expect((await admin('GET', `/queue/${old}`)).status).toBe(200)

  const lock = new pg.Client({ connectionString: database.url })
  await lock.connect()
  await lock.query('begin')
  await lock.query('select from queue where id = $1 for update', [old])
  const second = retire(crypto.randomUUID())
  await held('update "queue"%')
  await eventually(
    () => inQueue(fresh),
    (n) => n === many,
  )
  await killed(second)
  await lock.query('rollback')
  await lock.end()
  expect([await stands(), await inGone()]).toEqual([1, 0])
  expect(await count('select count(*) as n from user_queue where queue_id = $1', [old])).toBe(1) // all changes or none

  server = await startProcess(env)
  await admin('PUT', `/tickets/${tickets[0]}`, { isTransfered: true, queueId: old }) // one ticket comes back before the call is repeated
  expect(await inQueue(old)).toBe(1)
  expect((await retire(command)).status).toBe(204)
  expect(await inQueue(fresh)).toBe(many)
  expect([await stands(), await inGone()]).toEqual([0, 0])
  expect((await admin('GET', `/queue/${old}`)).status).toBe(404)
  const { rows } = await store.query(
    `select count(*)::int as n from event where type = 'TicketQueued' and data ->> 'queueId' = $1 group by stream`,
    [String(fresh)],
  )
  expect(rows.length).toBe(many)
  expect(await assertStoresConsistent(database.url, masterKey)).toEqual({ differences: [], bad: [] })
})
