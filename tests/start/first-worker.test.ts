import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { goLive, markRestored } from '#app/backup/restored.ts'
import { seedDemo } from '#app/demo/seed.ts'
import { type Reactor, reactorProcessor } from '#app/event-store/reactor.ts'
import { runProcessor } from '#app/event-store/run-processor.ts'
import { openWorker } from '#app/roles/worker.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

/* An app whose web role ran before any worker. */
let app: TestApp
const done = new AbortController()
const running: Promise<void>[] = []
const lines: string[] = []
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'], log: (line) => lines.push(line) })
})
afterAll(async () => {
  done.abort()
  await Promise.allSettled(running)
  await app?.stop()
})

const phone = async () => {
  const { balcao } = app.company.connections
  return (await app.as('admin')('GET', `/sandbox/${balcao}/outbox`)).body.map(({ body }: { body: string }) => body)
}

it('the first worker after a restore waits for go-live, then sends what was queued before', async () => {
  const { connections, contacts, queues } = app.company
  const asked = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
  const { id } = (await app.as('bruno')('POST', '/tickets', asked)).body
  await app.as('bruno')('POST', `/messages/${id}`, { body: 'antes de todos' })
  await markRestored(app.ctx.pool, '2026-11-20T13:05:00.000Z')
  running.push(openWorker(app.ctx, done.signal))
  await expect.poll(() => lines.join()).toContain('workers wait for restore')
  const workers = () => app.db.selectFrom('worker').select('id').execute()
  expect([await workers(), await phone()]).toEqual([[], []])
  expect([await goLive(app.ctx.pool), await goLive(app.ctx.pool)]).toEqual([true, false])
  await app.as('bruno')('POST', `/messages/${id}`, { body: 'depois' })
  await eventually(phone, (said) => said.length === 2)
  expect(await phone()).toEqual(['antes de todos', 'depois'])
})

it('a new reactor ignores earlier events', async () => {
  const told: string[] = []
  const newcomer: Reactor<TicketEvent, null> = {
    name: 'newcomer',
    of: ticketStream,
    on: { MessageSent: async ({ body }) => void told.push(body) },
  }
  running.push(runProcessor(reactorProcessor(newcomer, null, app.db), app.ctx, done.signal))
  const at = () => app.db.selectFrom('checkpoint').select('position').where('name', '=', 'newcomer').executeTakeFirst()
  await eventually(at, (row) => row !== undefined)
  const { id } = (await app.as('bruno')('GET', '/tickets?status=open')).body.tickets[0]
  await app.as('bruno')('POST', `/messages/${id}`, { body: 'de agora' })
  await eventually(
    async () => told,
    (all) => all.length > 0,
  )
  expect(told).toEqual(['de agora'])
})

it('the demo seeded before the first worker stays unchanged', async () => {
  const demo = await startTestApp({ roles: ['web', 'projector'] })
  const gone = new AbortController()
  let worker = Promise.resolve()
  try {
    await sql`truncate company, plan cascade`.execute(demo.db)
    const begun = Promise.withResolvers<void>()
    const made = seedDemo(demo.ctx, begun.resolve)
    await begun.promise
    const came = seedDemo(demo.ctx).then(async (another) => [another, await state()]) // as in a process that starts meanwhile
    expect(await made).toBe(true)
    const state = async () => {
      const { rows } = await sql`
        select (select count(*) from event) as facts, (select count(*) from sandbox_message) as lines, (select count(*) from outbox) as outbox,
          (select count(*) from deadline where due_at < now() + interval '1 hour') as due`.execute(demo.db)
      return rows[0]
    }
    const before = await state()
    expect(await came).toEqual([false, before]) // it waited until the demo was complete
    worker = openWorker(demo.ctx, gone.signal)
    const at = () => demo.db.selectFrom('checkpoint').select('position').where('name', '=', 'ticketReactor').executeTakeFirst()
    const head = await demo.ctx.readHeadPosition()
    await eventually(at, (row) => BigInt(row?.position ?? 0) >= head!)
    await demo.settled()
    expect(await state()).toEqual(before)
  } finally {
    gone.abort()
    await worker
    await demo.stop()
  }
})
