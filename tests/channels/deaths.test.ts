import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { Connection, InboundEvent } from '#app/channels/channel.ts'
import { countDeaths, mostDeaths } from '#app/inbound/deaths.ts'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { processInbound } from '#app/inbound/inbound-processor.ts'
import { eventually } from '#tests/support/wait.ts'
import { app, board, connections, nextNumber, openInstallation } from './boards.ts'

openInstallation()

/** Records inbound messages of one person on a new connection; returns their ids in order. */
async function record(bodies: string[]) {
  const [connectionId] = (await connections(1)) as [number]
  const number = nextNumber()
  const companyId = app.company.companies.casa
  const entries = bodies.map((body) => {
    const content = { kind: 'chat' as const, body, media: null, vCard: null, quotedExternalId: null, at: new Date().toISOString() }
    const inboundEvent: InboundEvent = {
      type: 'message',
      externalId: `${number}-${body}`,
      from: [{ kind: 'phone', id: number }],
      name: number,
      group: null,
      ...content,
    }
    return { companyId, connectionId, externalId: inboundEvent.externalId, conversation: number, payload: inboundEvent }
  })
  await recordInbound(app.db, entries)
  const rows = await app.db.selectFrom('inboundEvent').select('id').where('connectionId', '=', connectionId).orderBy('id').execute()
  const events = () =>
    app.db
      .selectFrom('inboundEvent')
      .select(['deaths', 'refused', 'doneAt'])
      .where('connectionId', '=', connectionId)
      .orderBy('id')
      .execute()
  return { connectionId, ids: rows.map(({ id }) => id), events }
}
/** Leaves the connection as a process that died would. */
const leaveInFlight = (connectionId: number, inHand: number[], inHandBy = 'a process that died') =>
  app.db
    .insertInto('connectionLease')
    .values({ connectionId, companyId: app.company.companies.casa, holder: null, inHand, inHandBy })
    .onConflict((row) => row.column('connectionId').doUpdateSet({ holder: null, inHand, inHandBy }))
    .execute()
const register = (process: string) =>
  app.db.insertInto('worker').values({ pid: 0, until: '2100-01-01T00:00:00Z', process }).returning('id').executeTakeFirstOrThrow()
const isDone = (rows: { doneAt: string | null }[]) => rows.every(({ doneAt }) => doneAt !== null)

it('an inbound event in flight when a process died counts one death and is processed', async () => {
  const { connectionId, ids, events } = await record(['a', 'b', 'c'])
  await leaveInFlight(connectionId, ids.slice(0, 2))
  board([processInbound], app.ctx)
  const rows = await eventually(events, isDone)
  expect(rows.map(({ deaths, refused }) => [deaths, refused])).toEqual([
    [1, null],
    [1, null],
    [0, null],
  ])
})

it('an inbound event becomes a dead letter after three deaths, and later events are processed', async () => {
  const { connectionId, ids, events } = await record(['a', 'b'])
  await app.db
    .updateTable('inboundEvent')
    .set({ deaths: mostDeaths - 1 })
    .where('id', '=', ids[0]!)
    .execute()
  await leaveInFlight(connectionId, ids.slice(0, 1))
  board([processInbound], { ...app.ctx, logger: pino({ level: 'silent' }) })
  const rows = await eventually(events, isDone)
  expect(rows.map(({ deaths, refused }) => [deaths, refused])).toEqual([
    [mostDeaths, 'ERR_INTERNAL'],
    [0, null],
  ])
})

it('a clean stop counts no death', async () => {
  const { connectionId, events } = await record(['a'])
  const first = board([processInbound], app.ctx)
  await eventually(events, isDone)
  await first.stop()
  const lease = app.db.selectFrom('connectionLease').select('inHand').where('connectionId', '=', connectionId)
  expect(await lease.executeTakeFirst()).toEqual({ inHand: [] })
})

describe('a process that only lost its session to Postgres', () => {
  /** What other processes count after each of these processes left the event in flight. */
  async function countedAfter(processes: string[], beforeLast: () => Promise<unknown> = async () => undefined) {
    const { connectionId, ids, events } = await record(['a'])
    for (const [at, process] of processes.entries()) {
      if (at === processes.length - 1) await beforeLast()
      await leaveInFlight(connectionId, ids, process)
      await countDeaths(app.db, { connection: { id: connectionId } as Connection, lease: { holder: 1, number: 1 } }, silent)
    }
    const [{ deaths, refused, doneAt }] = (await events()) as [Awaited<ReturnType<typeof events>>[number]]
    await app.db.deleteFrom('inboundEvent').where('connectionId', '=', connectionId).execute()
    return { deaths, isDead: refused !== null && doneAt !== null }
  }
  const silent = pino({ level: 'silent' })
  it('counts no death while it is registered', async () => {
    await register('lives')
    expect(await countedAfter(Array.from({ length: mostDeaths + 1 }, () => 'lives'))).toEqual({ deaths: 0, isDead: false })
  })
  it('counts one death at most', async () => {
    expect(await countedAfter(Array.from({ length: mostDeaths + 1 }, () => 'slow'))).toEqual({ deaths: 1, isDead: false })
  })
  it('is no reason for a dead letter once it is registered again', async () => {
    expect(await countedAfter(['late', 'second', 'third'], () => register('late'))).toEqual({ deaths: 3, isDead: false })
    expect(await countedAfter(['first', 'second', 'third'])).toEqual({ deaths: 3, isDead: true })
  })
})
