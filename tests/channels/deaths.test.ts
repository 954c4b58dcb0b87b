import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { InboundEvent } from '#app/channels/channel.ts'
import { mostDeaths } from '#app/inbound/deaths.ts'
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
const leaveInFlight = (connectionId: number, inHand: number[]) =>
  app.db
    .insertInto('connectionLease')
    .values({ connectionId, companyId: app.company.companies.casa, holder: null, inHand, inHandBy: 'a process that died' })
    .onConflict((row) => row.column('connectionId').doUpdateSet({ holder: null, inHand, inHandBy: 'a process that died' }))
    .execute()
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
