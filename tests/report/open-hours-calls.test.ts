import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayMs } from '#domain/duration/rules.ts'
import { hours } from '#tests/support/hours.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute()
})
afterAll(() => app.stop())

/** The first answers of the last days in seconds: open, closed. */
async function firstAnswer() {
  const { now } = (await app.as('admin')('GET', '/sandbox/clock')).body as { now: string }
  const day = (days: number) => new Date(Date.parse(now) + days * dayMs).toISOString().slice(0, 10)
  const { body } = await app.as('admin')('GET', `/dashboard?openHours=true&date_from=${day(-3)}&date_to=${day(3)}`)
  const { times, closedTimes } = body.counters
  return { n: times.firstAnswer.n, open: times.firstAnswer.average, closed: closedTimes.firstAnswer.average }
}
const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
async function setHours(startTimeA: string, endTimeA: string) {
  const schedules = names.map((weekdayEn) => ({ weekday: weekdayEn, weekdayEn, startTimeA, endTimeA, startTimeB: '', endTimeB: '' }))
  expect((await app.as('admin')('PUT', `/companies/${app.company.companies.casa}/schedules`, { schedules })).status).toBe(200)
}

it('a change of hours changes later times and no past ones (A-COUNT-14, V27)', async () => {
  const { says, answer, pass, ticketOf } = hours(app)
  const serve = async (number: string) => {
    await says(number)
    await pass(30)
    await answer(number, 'Bom dia')
    const { id } = await ticketOf(number)
    expect((await app.as('ana')('PUT', `/tickets/${id}`, { status: 'closed' })).status).toBe(200)
    await app.settled()
  }
  await setHours('00:00', '23:59')
  await app.set('scheduleType', 'company')
  await serve('5511955550001')
  const first = await firstAnswer()
  expect(first).toMatchObject({ n: 1, closed: 0 })
  expect(first.open).toBeGreaterThanOrEqual(30 * 60)
  await setHours('', '')
  expect(await firstAnswer()).toEqual(first)
  await serve('5511955550002')
  const both = await firstAnswer()
  expect(both).toMatchObject({ n: 2, open: first.open / 2 })
  expect(both.closed).toBeGreaterThanOrEqual(15 * 60)
})
