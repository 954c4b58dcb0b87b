import { afterAll, beforeAll, expect, it } from 'vitest'
import { rebuild } from '#app/rebuilding.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

let house: TestHouse
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.stop())

it('builds right tables when two operators rebuild at once', async () => {
  for (let i = 0; i < 30; i++) await house.phone.says(`55119555500${10 + (i % 5)}`, `message ${i}`)
  await house.settled()
  const results = await Promise.all([rebuild(ticketProjector, house.house), rebuild(ticketProjector, house.house)])
  expect(results.map(({ differences }) => differences)).toEqual([[], []])
})
