import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import type { Channel, InboundEvent } from '#app/channels/channel.ts'
import type { Work } from '#app/channels/leases.ts'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { processInbound } from '#app/inbound/inbound-processor.ts'
import { runOutbox } from '#app/outbound/outbox-sender.ts'
import { leaseConnection } from '#tests/support/lease-connection.ts'
import { eventually } from '#tests/support/wait.ts'
import { app, board, brisk, connections, conversations, nextNumber, nothing, openInstallation, provider, still } from './boards.ts'

openInstallation()

/* Which process holds which connection, when, and at what cost. */
it('a send in progress ends before another process takes the connection, without doubt', async () => {
  const [id] = (await connections(1)) as [number]
  const { say } = await conversations(id, 1)
  const answer = Promise.withResolvers<void>()
  const arrived: string[] = []
  let asked = 0
  const one = board(
    [runOutbox],
    provider(async (_, body) => {
      asked++
      await answer.promise
      arrived.push(`one ${body}`)
    }),
    still,
  )
  await say(0, 'agora')
  await say(0, 'depois')
  await eventually(
    async () => asked,
    (n) => n === 1,
  )
  const stopped = one.stop()
  board(
    [runOutbox],
    provider((_, body) => void arrived.push(`two ${body}`)),
    still,
  )
  const others = () =>
    app.db
      .selectFrom('connectionLease')
      .select('connectionId')
      .where('holder', '=', (eb) => eb.selectFrom('worker').select((of) => of.fn.max('id').as('id')))
      .where('connectionId', '!=', id)
      .execute()
  await eventually(others, (rows) => rows.length > 0) // connections without sends in progress moved at once
  expect(arrived).toEqual([])
  answer.resolve()
  await stopped
  await eventually(
    async () => arrived.length,
    (n) => n === 2,
  )
  expect(arrived).toEqual(['one agora', 'two depois'])
  const left = () => app.db.selectFrom('outbox').select('state').where('connectionId', '=', id).execute()
  const rows = await eventually(left, (all) => all.every(({ state }) => state !== 'waiting'))
  expect(rows.map(({ state }) => state)).toEqual(['taken', 'taken'])
})

it('a process whose lease may be lost processes nothing, and the next holder everything', async () => {
  const [id] = (await connections(1)) as [number]
  const from = nextNumber()
  await app.phone.says(from, 'quem me ouve?', { connection: id })
  const connection = await leaseConnection(id, app.db)
  const over = new AbortController()
  let doubted = 0
  const late = processInbound({ ...connection, isLeaseValid: () => ++doubted < 0 }, app.ctx, over.signal)
  await eventually(
    async () => doubted,
    (n) => n > 1,
  )
  over.abort()
  await late
  const entry = () => app.db.selectFrom('inboundEvent').select(['doneAt', 'failures']).where('connectionId', '=', id).executeTakeFirst()
  expect(await entry()).toEqual({ doneAt: null, failures: 0 })
  const next = new AbortController()
  const inboundEvent = processInbound(await leaseConnection(id, app.db), app.ctx, next.signal)
  await eventually(entry, (row) => row !== undefined && row.doneAt !== null)
  next.abort()
  await inboundEvent
  await sql`delete from worker`.execute(app.db)
})

it('after a connection is ended, nothing is processed, even by an outdated process (R-CONN-02)', async () => {
  const [id] = (await connections(1)) as [number]
  const connection = await leaseConnection(id, app.db)
  const setStatus = (status: 'CONNECTED' | 'DISCONNECTED') =>
    app.db.updateTable('connection').set({ status }).where('id', '=', id).execute()
  await setStatus('DISCONNECTED')
  await app.phone.says(nextNumber(), 'está aí?', { connection: id })
  const entry = () => app.db.selectFrom('inboundEvent').select('doneAt').where('connectionId', '=', id).executeTakeFirst()
  const over = new AbortController()
  let rests = 0
  const rung = () => {
    rests++
    return connection.journal.wait()
  }
  const early = processInbound({ ...connection, journal: { ...connection.journal, wait: rung } }, app.ctx, over.signal)
  await eventually(
    async () => rests,
    (n) => n > 0,
  )
  over.abort()
  await early
  expect(await entry()).toEqual({ doneAt: null })
  await setStatus('CONNECTED')
  const next = new AbortController()
  const inboundEvent = processInbound(connection, app.ctx, next.signal)
  await eventually(entry, (row) => row !== undefined && row.doneAt !== null)
  next.abort()
  await inboundEvent
  await sql`delete from worker`.execute(app.db)
})

it('an inbound event without a notification is found', async () => {
  const [id] = (await connections(1)) as [number]
  const held = () =>
    app.db.selectFrom('connectionLease').select('holder').where('connectionId', '=', id).where('holder', 'is not', null).executeTakeFirst()
  board([processInbound], app.ctx)
  await eventually(held, (row) => row !== undefined)
  const inboundEvent = { type: 'receipt' as const, externalIds: ['of-nothing'], mark: 'read' as const }
  const { companyId } = await app.db.selectFrom('connection').select('companyId').where('id', '=', id).executeTakeFirstOrThrow()
  await recordInbound(app.db, [{ companyId, connectionId: id, externalId: 'untold', conversation: 'maria', payload: inboundEvent }])
  await eventually(
    () => app.db.selectFrom('inboundEvent').select('doneAt').where('externalId', '=', 'untold').executeTakeFirst(),
    (row) => row !== undefined && row.doneAt !== null,
  )
})

it('a contact with thousands of messages behind a stuck download does not block others', async () => {
  const [connectionId] = (await connections(1)) as [number]
  const companyId = app.company.companies.casa
  const [one, another] = [nextNumber(), nextNumber()]
  const entry = (number: string, n: number, more: object = {}) => {
    const externalId = `${number}-${n}`
    const storedTexts = {
      kind: 'chat' as const,
      body: externalId,
      media: null,
      vCard: null,
      quotedExternalId: null,
      at: new Date().toISOString(),
    }
    const from = [{ kind: 'phone' as const, id: number }]
    const inboundEvent: InboundEvent = { type: 'message', externalId, from, name: number, group: null, ...storedTexts, ...more }
    return { companyId, connectionId, externalId, conversation: number, payload: inboundEvent }
  }
  await recordInbound(app.db, [entry(one, 0, { kind: 'image', apart: true }), ...Array.from({ length: 2500 }, (_, n) => entry(one, n + 1))])
  await recordInbound(app.db, [entry(another, 0), entry(another, 1)])
  const gate = Promise.withResolvers<null>()
  const coordinator = board([processInbound], { ...app.ctx, channel: () => ({ fetch: () => gate.promise }) as unknown as Channel })
  const storedTexts = async (number: string) => {
    const rows = app.db.selectFrom('message').select('body').where('body', 'like', `${number}-%`).orderBy('id')
    return (await rows.execute()).map(({ body }) => body)
  }
  const inOrder = async (number: string, n: number) => {
    const all = await eventually(
      () => storedTexts(number),
      ({ length }) => length >= n,
    )
    expect(all).toEqual(all.map((_, i) => `${number}-${i}`))
  }
  await inOrder(another, 2)
  expect(await storedTexts(one)).toEqual([])
  gate.resolve(null)
  await inOrder(one, 150)
  await coordinator.stop()
  await app.db.updateTable('inboundEvent').set({ doneAt: new Date().toISOString() }).where('connectionId', '=', connectionId).execute()
})

it('connections are spread evenly, move with the processes, and are never held twice', async () => {
  await connections(10)
  const holders = new Map<number, string[]>()
  const twice: number[] = []
  const work =
    (name: string): Work<typeof app.ctx> =>
    async ({ connection: { id } }, _, signal) => {
      const now = holders.get(id) ?? []
      holders.set(id, [...now, name])
      if (now.length > 0) twice.push(id)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      holders.set(
        id,
        holders.get(id)!.filter((one) => one !== name),
      )
    }
  const { length: all } = await app.db.selectFrom('connection').select('id').execute()
  const shares = () => Object.values(Object.groupBy([...holders.values()].flat(), (name) => name)).map((held) => held!.length)
  const spread = (processes: number) =>
    eventually(
      async () => shares(),
      (held) => held.length === processes && held.reduce((sum, n) => sum + n, 0) === all && Math.max(...held) - Math.min(...held) <= 1,
    )
  const one = board([work('one')], app.ctx, still)
  await spread(1)
  board([work('two')], app.ctx, still)
  await spread(2)
  board([work('three')], app.ctx, still)
  await spread(3)
  await one.stop()
  expect([...holders.values()].flat()).not.toContain('one')
  await spread(2)
  expect(twice).toEqual([])
})

it('two hundred idle connections need no more statements than three', async () => {
  const storedTexts: string[] = []
  const { query } = pg.Client.prototype
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: any[]) {
    const text = typeof args[0] === 'string' ? args[0] : (args[0]?.text ?? '')
    if (/journal|outbox|connection|worker/.test(text) && !/listen|bullmq/.test(text)) storedTexts.push(text)
    return (query as any).apply(this, args)
  } as never)
  try {
    /** The number of statements per round, by text. */
    const rounds = async (most: number) => {
      storedTexts.length = 0
      const beats = () => storedTexts.filter((text) => text.includes('with lives as')).length
      await eventually(
        async () => beats(),
        (n) => n >= most,
      )
      const window = storedTexts.slice(0, storedTexts.findLastIndex((text) => text.includes('with lives as')) + 1)
      const counts = new Map<string, number>()
      for (const text of window) counts.set(text, (counts.get(text) ?? 0) + 1)
      return [...counts.values()].map((n) => n / beats())
    }
    await sql`delete from connection where name like 'Linha %'`.execute(app.db)
    board([processInbound, runOutbox], provider(nothing), { ...brisk, sweepMs: 0 })
    const held = (n: number) =>
      eventually(
        async () =>
          Number(
            (await sql<{ n: number }>`select count(*) as n from connection_lease where holder is not null`.execute(app.db)).rows[0]!.n,
          ),
        (found) => found === n,
      )
    await held(3)
    await rounds(5)
    const few = await rounds(20)
    await connections(200)
    await held(203)
    await rounds(10) // the statements at the start of each connection
    const many = await rounds(20)
    expect(few).toHaveLength(4)
    expect(many).toHaveLength(4)
    for (const each of [...few, ...many]) expect(each).toBeLessThanOrEqual(1.1)
  } finally {
    spy.mockRestore()
  }
})
