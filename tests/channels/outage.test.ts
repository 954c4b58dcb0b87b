import { afterAll, beforeAll, expect, it } from 'vitest'
import { hearing } from '#app/channels/hear.ts'
import { takeDown } from '#app/channels/journal.ts'
import { switchboard } from '#app/channels/switchboard.ts'
import { Unavailable } from '#app/eventlog/eventlog.ts'
import { passing } from '#app/eventlog/passing.ts'
import type { AskTicket } from '#app/ticket/store.ts'
import { Refusal } from '#domain/errors.ts'
import { eventually } from '#tests/kit/processes.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

let house: TestHouse
beforeAll(async () => {
  house = await startHouse({ roles: ['web', 'projector'] })
})
afterAll(async () => {
  await house?.db.updateTable('journal').set({ doneAt: new Date().toISOString() }).execute()
  await house?.stop({ faultsExpected: true })
})

/** Hears one entry that failed often before, with a log that answers so; gives what the journal says of it then. */
async function heardWith(externalId: string, error: Error) {
  const { companies, connections } = house.company
  const who = { companyId: companies.casa, connectionId: connections.balcao, conversation: '5511955550000' }
  const said = { kind: 'chat' as const, body: 'do not lose me', media: null, vCard: null, quotedExternalId: null, at: '' }
  await takeDown(house.db, [
    {
      ...who,
      externalId,
      heard: { type: 'message', externalId, from: [{ kind: 'phone' as const, id: who.conversation }], name: 'Bia', group: null, ...said },
    },
  ])
  await house.db.updateTable('journal').set({ failures: 20 }).where('externalId', '=', externalId).execute()
  let asked = 0
  const ask: AskTicket = async () => {
    asked++
    throw error
  }
  const over = new AbortController()
  const ended = switchboard([hearing], { ...house.house, ask }, over.signal)
  const look = () =>
    house.db.selectFrom('journal').select(['doneAt', 'refused', 'heard']).where('externalId', '=', externalId).executeTakeFirstOrThrow()
  await eventually(
    async () => asked,
    (n) => n > 0,
    5000,
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  const row = await look()
  over.abort()
  await ended
  return row
}

it('never gives up what was confirmed to a provider because a store is away for long', async () => {
  const row = await heardWith('away', new Unavailable('reading ticket-1-1 took more than 5000 ms'))
  expect(row).toMatchObject({ doneAt: null, refused: null, heard: { body: 'do not lose me' } })
  await house.db.updateTable('journal').set({ doneAt: new Date().toISOString() }).where('externalId', '=', 'away').execute()
})

it('keeps the words of what it sets aside', async () => {
  const row = await heardWith('large', new Refusal('ERR_TOO_LARGE'))
  expect(row).toMatchObject({ refused: 'ERR_TOO_LARGE', heard: { body: 'do not lose me' } })
  expect(row.doneAt).not.toBeNull()
})

it('takes no store that is away for a poisoned event', () => {
  expect(passing(new Unavailable('reading ticket-1-1 took more than 5000 ms'))).toBe(true)
  expect(passing(new Refusal('ERR_BUSY'))).toBe(true)
  expect(passing(new Refusal('ERR_NO_TICKET_FOUND'))).toBe(false)
  expect(passing(new Error('thirteen'))).toBe(false)
})
