import { afterAll, beforeAll, expect, it } from 'vitest'
import { hours } from '#tests/kit/hours.ts'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'
import { customerOf, toldIn } from './customer.ts'

/* What is told and done while a house is closed, and as it opens. */
let house: TestHouse
beforeAll(async () => {
  house = await startHouse()
  await house.db.updateTable('user').set({ super: true }).where('id', '=', house.company.users.admin).execute()
}, 30_000)
afterAll(() => house?.stop(), 30_000)

const line = () => house.company.connections.balcao
const set = (to: object) => hours(house).set(to, line())
/** `null`: it is closed on every day. */
const opens = async (text: string | null) => {
  await house.set('scheduleType', text === null ? 'disabled' : 'connection')
  await set({ schedules: '[]', outOfHoursMessage: text })
}

it('who waits for people hears in the night that it is night, once, and of a vacation: never led by a bot, given back, or come again (A-HOURS-03, A-VAC-01, A-EXP-04)', async () => {
  const { users } = house.company
  const admin = house.as('admin')
  const taken = { status: 'open', userId: users.admin }
  const [silent, returned, resumed, served] = [1, 2, 3, 4].map(() => customerOf(house, line())) as ReturnType<typeof customerOf>[]
  for (const one of [silent, returned, resumed, served]) expect(await one!.says('oi')).toEqual([]) // one queue, no menu: it waits
  for (const one of [returned, resumed, served]) await admin('PUT', `/tickets/${(await one!.ticket()).id}`, taken)
  await admin('PUT', `/tickets/${(await returned!.ticket()).id}`, { status: 'pending' })
  await set({ timeCreateNewTicket: 60 })
  await admin('PUT', `/tickets/${(await resumed!.ticket()).id}`, { status: 'closed' })
  await house.settled()

  await opens('Abrimos às 8h')
  for (const one of [silent, returned, resumed]) {
    expect(await one!.says('alguém?')).toEqual(['Abrimos às 8h'])
    expect(await one!.says('e aí?')).toEqual([])
    expect(await one!.ticket()).toMatchObject({ status: 'pending', userId: null, isBot: false })
  }
  expect(await served!.says('alguém?')).toEqual([]) // somebody serves it
  const { id } = await silent!.ticket()
  expect((await toldIn(house, id)).filter((type) => type.includes('-'))).toEqual(['A-HOURS-02 outOfHours'])
  const { steps } = (await admin('GET', `/tickets/${id}/automation`)).body
  expect(steps).toMatchObject([{ reason: 'outOfHours', answers: { body: 'alguém?' }, said: [{ body: 'Abrimos às 8h' }] }])

  await set({ collectiveVacationStart: '2020-01-01', collectiveVacationEnd: '2999-01-01', collectiveVacationMessage: 'Férias!' })
  expect([await silent!.says('oi'), await silent!.says('oi')]).toEqual([['Férias!'], []])
  await set({ collectiveVacationStart: null, collectiveVacationEnd: null, timeCreateNewTicket: 0 })
  await opens(null)
  expect(await silent!.says('bom dia')).toEqual([]) // and people have it still
}, 60_000)
