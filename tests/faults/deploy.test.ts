import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import type { EventStore } from '#app/event-store/event-store.ts'
import { createEsdbEventStore } from '#app/event-store/eventstoredb.ts'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import { rebuild } from '#app/event-store/rebuild.ts'
import { openStore, type Store } from '#projections/postgres.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { arrived } from '#tests/support/assert-stores-consistent.ts'
import { command } from '#tests/support/command.ts'
import { eventStoreDouble } from '#tests/support/eventstore.ts'
import { mark, newer } from '#tests/support/newer-release.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { type Client, client, type Running, signIn, startProcess } from '#tests/support/processes.ts'
import { isSoak } from '#tests/support/soak.ts'
import { eventually } from '#tests/support/wait.ts'

/* A newer release, which reads the log differently, joins a running app of two webs, a projector and two workers. */
const preload = pathToFileURL(path.join(import.meta.dirname, '../support/newer-release.ts')).href
const nextRelease = { NODE_OPTIONS: `--import=${preload}`, NEWER_RELEASE: '1' }
/** The pause between two messages of a customer. Without it the whole test takes longer. */
const paceMs = 50

describe.each(isSoak ? (['Postgres', 'EventStoreDB'] as const) : (['Postgres'] as const))(
  'a rolling deployment with the log on %s',
  (engine) => {
    let database: FreshDatabase
    let double: Awaited<ReturnType<typeof eventStoreDouble>> | null = null
    let store: Store
    let dataDir: string
    let env: Record<string, string>
    const masterKey = randomBytes(32)
    const running = new Map<string, Running>()
    const start = async (name: string, roles: string, more = {}) =>
      void running.set(name, await startProcess({ ...env, ...more, ROLES: roles, LOG_LEVEL: 'warn' }))
    const where = (name: string) => () => running.get(name)!.url
    const versionOf = async (name: string) =>
      (await store.db.selectFrom('readModel').select('version').where('name', '=', name).executeTakeFirst())?.version
    const thread = ticketProjector.models.find(({ name }) => name === 'thread')!

    beforeAll(async () => {
      database = await freshDatabase({ migrated: true })
      dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-deploy-'))
      await chmod(dataDir, 0o755)
      if (engine === 'EventStoreDB') double = await eventStoreDouble()
      env = {
        ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, MASTER_KEY: masterKey.toString('base64'), DEMO: '1', SANDBOX: '1' },
        ...(double && { EVENTSTORE_URL: double.url }),
      }
      await start('web1', 'web')
      await Promise.all([start('web2', 'web'), start('projector', 'projector'), start('worker1', 'worker'), start('worker2', 'worker')])
      store = openStore(database.url, 3)
    })
    afterAll(async () => {
      await Promise.all([...running.values()].map((one) => one.stop()))
      await store?.db.destroy()
      double?.kill()
      await database?.drop()
      if (dataDir) await rm(dataDir, { recursive: true, force: true })
    })

    it('answers every call, loses and doubles nothing, and leaves no row of the older release', async () => {
      await eventually(
        () => versionOf('thread'),
        (version) => version === thread.version,
      )
      const ana = await signIn(where('web1'), 'ana@demo.test')
      const asked = { admin: (await signIn(where('web1'), 'admin@demo.test')).token, ana: ana.token }
      const statuses = new Map<number, number>()
      const calls = (web: string, token: string): Client => {
        const ask = client(where(web), token)
        return async (...of) => {
          const answer = await ask(...of)
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          return answer
        }
      }
      const [says, also] = [calls('web1', asked.admin), calls('web2', asked.admin)]
      let on = true
      const said = new Map<string, string[]>()
      async function customer(i: number): Promise<void> {
        const name = `Troca ${i} Cliente`
        const lines: string[] = []
        said.set(name, lines)
        while (on) {
          const body = `${name} line ${lines.length}`
          const inbound = { id: `d-${i}-${lines.length}`, from: `5511688000${String(i).padStart(3, '0')}`, name, body }
          expect((await (lines.length % 2 ? says : also)('POST', '/sandbox/1/inbound', inbound)).status).toBe(202)
          lines.push(body)
          await sleep(paceMs)
        }
      }
      const answers: string[] = []
      let answered = 0
      async function agent(): Promise<void> {
        const [one, two] = [calls('web1', asked.ana), calls('web2', asked.ana)]
        const customer = { id: 'd-a', from: '5511688000999', name: 'Troca Atendido', body: 'oi' }
        expect((await says('POST', '/sandbox/1/inbound', customer)).status).toBe(202)
        const found = await eventually(
          () => one('GET', `/tickets?status=search&searchParam=${encodeURIComponent(customer.name)}`),
          ({ body }) => body.tickets.length > 0,
        )
        const [ticket] = found.body.tickets
        const taken = await one('PUT', `/tickets/${ticket.id}`, { status: 'open', userId: ana.user.id, queueId: 1 })
        expect([200, 202], JSON.stringify(taken.body)).toContain(taken.status)
        while (on) {
          const body = `answer ${answers.length}`
          const answer = await (answers.length % 2 ? one : two)('POST', `/messages/${ticket.id}`, { body })
          expect([200, 202], JSON.stringify(answer.body)).toContain(answer.status)
          answers.push(body)
          await sleep(paceMs)
          expect((await two('GET', '/tickets?status=open&showAll=true')).status).toBe(200)
          expect((await one('GET', `/messages/${ticket.id}`)).status).toBe(200)
          answered = ticket.id
        }
      }
      const load = Promise.all([agent(), ...Array.from({ length: 3 }, (_, i) => customer(i))])
      load.catch(() => {
        on = false
      })
      const rebuilt = await command('commands/rebuild.ts', [], env) // as an operator runs it during the day
      expect({ ...rebuilt, out: '' }, rebuilt.out).toEqual({ code: 0, out: '', err: '' })
      const before = await store.db.selectFrom('readModel').select(['name', 'builtAt']).orderBy('name').execute()
      await start('newer', 'projector', nextRelease)
      await eventually(
        () => versionOf('thread'),
        (version) => version === thread.version + 1,
      )
      const many = answers.length
      await eventually(
        async () => answers.length,
        (n) => n > many + 5 || !on,
      ) // the older process has noticed that the tables are no longer its own
      await running.get('projector')!.stop()
      const late = answers.length
      await eventually(
        async () => answers.length,
        (n) => n > late + 5 || !on,
      )
      on = false
      await load
      expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
      await arrived(store.db)
      const rows = (name: string) =>
        store.db
          .selectFrom('message')
          .innerJoin('ticket', 'ticket.id', 'message.ticketId')
          .innerJoin('contact', 'contact.id', 'ticket.contactId')
          .select('message.body')
          .where('contact.name', '=', name)
          .orderBy('message.ticketId')
          .orderBy('message.revision')
          .execute()
      for (const [name, lines] of said) {
        const found = await eventually(
          () => rows(name),
          (all) => all.length >= lines.length,
        )
        expect(found.map(({ body }) => body)).toEqual(lines)
      }
      const ours = await store.db
        .selectFrom('message')
        .select('body')
        .where('ticketId', '=', answered)
        .where('body', 'like', 'answer %')
        .orderBy('revision')
        .execute()
      expect(ours.map(({ body }) => body)).toEqual(answers)
      const words = await store.db.selectFrom('message').select('words').execute()
      expect(words.filter((row) => !row.words.startsWith(mark))).toEqual([])
      const after = await store.db.selectFrom('readModel').select(['name', 'builtAt']).orderBy('name').execute()
      expect(after.filter(({ builtAt }, i) => builtAt !== before[i]!.builtAt).map(({ name }) => name)).toEqual(['thread'])

      await Promise.all([...running.values()].map((one) => one.stop()))
      running.clear()
      const log: EventStore = double ? createEsdbEventStore(double.url) : await createPostgresEventStore({ connectionString: database.url })
      try {
        const deps = { db: store.db, connectionString: database.url, eventStore: log, contactKeys: contactKeys(store.pool, masterKey) }
        expect((await rebuild(newer(ticketProjector), deps)).differences).toEqual([])
      } finally {
        await log.close()
      }
    })
  },
)
