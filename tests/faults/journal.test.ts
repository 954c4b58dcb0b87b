import { afterAll, beforeAll, expect, it } from 'vitest'
import { runLeaseCoordinator } from '#app/channels/leases.ts'
import { Unavailable } from '#app/event-store/event-store.ts'
import { retryDeadLetter, selectDeadLetters } from '#app/inbound/dead-letters.ts'
import { recordInbound } from '#app/inbound/inbound-journal.ts'
import { processInbound } from '#app/inbound/inbound-processor.ts'
import type { ExecuteTicketCommand } from '#app/ticket/ticket-repository.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
})
afterAll(() => app?.stop({ faultsExpected: true }))

const entry = (externalId: string) =>
  app.db
    .selectFrom('inboundEvent')
    .select(['failures', 'doneAt', 'refused', 'payload'])
    .where('externalId', '=', externalId)
    .executeTakeFirstOrThrow()

/** Journals a message unless it is there, and processes it with a log that fails with `error`, `times` times. */
async function hears(externalId: string, error: Error, times: number): Promise<void> {
  const { companies, connections } = app.company
  const who = { companyId: companies.casa, connectionId: connections.balcao, conversation: '5511955550000' }
  const said = { kind: 'chat' as const, body: 'do not lose me', media: null, vCard: null, quotedExternalId: null, at: '' }
  const heard = {
    type: 'message' as const,
    externalId,
    from: [{ kind: 'phone' as const, id: who.conversation }],
    name: 'Bia',
    group: null,
    ...said,
  }
  await recordInbound(app.db, [{ ...who, externalId, payload: heard }])
  let asked = 0
  const ask: ExecuteTicketCommand = async () => {
    asked++
    throw error
  }
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], { ...app.ctx, execute: ask }, over.signal)
  await eventually(
    async () => asked,
    (n) => n >= times,
  )
  over.abort()
  await ended
}

it('an event that cannot be processed is set aside in the end, despite restarts before that', async () => {
  const bug = new Error('the timeout of undefined')
  await hears('bug', bug, 2)
  await eventually(
    () => entry('bug'),
    ({ failures }) => failures >= 2,
  )
  await app.db.updateTable('inboundEvent').set({ failures: 19 }).where('externalId', '=', 'bug').execute()
  await hears('bug', bug, 1)
  await eventually(
    () => entry('bug'),
    ({ failures }) => failures === 20,
  )
  await hears('bug', bug, 1)
  const row = await eventually(
    () => entry('bug'),
    ({ doneAt }) => doneAt !== null,
  )
  expect(row).toMatchObject({ refused: 'ERR_INTERNAL', payload: { body: 'do not lose me' } })
})

it('dead letters are counted for the operator, and can be retried', async () => {
  const counted = async () => /guiche_waiting\{table="set aside"\} (\d+)/.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1]
  expect(await counted()).toBe('1')
  const [row] = await selectDeadLetters(app.db).execute()
  expect(row).toMatchObject({ type: 'message', externalId: 'bug', refused: 'ERR_INTERNAL' })
  await retryDeadLetter(app.db, row!.id)
  const over = new AbortController()
  const ended = runLeaseCoordinator([processInbound], app.ctx, over.signal)
  const taken = await eventually(
    () => entry('bug'),
    ({ doneAt }) => doneAt !== null,
  )
  over.abort()
  await ended
  expect([taken, await counted()]).toEqual([expect.objectContaining({ refused: null, payload: null }), '0'])
})

it('an outage counts as no failure, so the first failure after a long outage is not the last', async () => {
  await hears('away', new Unavailable('no answer'), 4)
  expect(await entry('away')).toMatchObject({ failures: 0, doneAt: null, refused: null })
  await app.db.updateTable('inboundEvent').set({ doneAt: new Date().toISOString() }).where('externalId', '=', 'away').execute()
})
