import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClock } from '#app/scheduler/clock.ts'
import { hours } from '#tests/support/hours.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { customerOf, receivedIn } from './customer.ts'

/* What happens while a company is closed, and when it opens. */
let app: TestApp
let minutes = 0
beforeAll(async () => {
  app = await startTestApp({ clock: openClock(() => minutes * 60_000) })
})
afterAll(() => app?.stop())

const line = () => app.company.connections.balcao
const set = (to: object) => hours(app).set(to, line())
/** `null` closes every day. */
const opens = async (text: string | null) => {
  await app.set('scheduleType', text === null ? 'disabled' : 'connection')
  await set({ schedules: '[]', outOfHoursMessage: text })
}

/** Runs the due deadlines now. */
async function goesBy(some: number): Promise<void> {
  minutes += some
  await sql`select pg_notify('clock_moved', '0')`.execute(app.db)
}
const now = () => Date.now() + minutes * 60_000
/** Half an hour each day that begins in an hour or two. */
function soon() {
  const at = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Sao_Paulo', hour: '2-digit' }).format(now() + 2 * 3_600_000)
  const shift = { startTimeA: `${at}:00`, endTimeA: `${at}:30`, startTimeB: '', endTimeB: '' }
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']
  return JSON.stringify(days.map((weekdayEn) => ({ weekday: weekdayEn, weekdayEn, ...shift })))
}
const dueOf = async (id: number, kind: string) => {
  const row = app.db.selectFrom('deadline').select('dueAt').where('aggregateId', '=', id).where('kind', '=', kind)
  return Date.parse((await row.executeTakeFirst())?.dueAt ?? '') - now()
}

it('a waiting contact learns once of closed hours or vacation (A-HOURS-03, A-VAC-01, A-EXP-04)', async () => {
  const { users } = app.company
  const admin = app.as('admin')
  const taken = { status: 'open', userId: users.admin }
  const [silent, returned, resumed, served] = [1, 2, 3, 4].map(() => customerOf(app, line())) as ReturnType<typeof customerOf>[]
  for (const one of [silent, returned, resumed, served]) expect(await one!.says('oi')).toEqual([]) // one queue, no menu, so the ticket waits
  for (const one of [returned, resumed, served]) await admin('PUT', `/tickets/${(await one!.ticket()).id}`, taken)
  await admin('PUT', `/tickets/${(await returned!.ticket()).id}`, { status: 'pending' })
  await set({ timeCreateNewTicket: 60 })
  await admin('PUT', `/tickets/${(await resumed!.ticket()).id}`, { status: 'closed' })
  await app.settled()

  await opens('Abrimos às 8h')
  for (const one of [silent, returned, resumed]) {
    expect(await one!.says('alguém?')).toEqual(['Abrimos às 8h'])
    expect(await one!.says('e aí?')).toEqual([])
    expect(await one!.ticket()).toMatchObject({ status: 'pending', userId: null, isBot: false })
  }
  expect(await served!.says('alguém?')).toEqual([]) // an agent serves it
  const { id } = await silent!.ticket()
  expect((await receivedIn(app, id)).filter((type) => type.includes('-'))).toEqual(['A-HOURS-02 outOfHours'])
  const { steps } = (await admin('GET', `/tickets/${id}/automation`)).body
  expect(steps).toMatchObject([{ reason: 'outOfHours', answers: { body: 'alguém?' }, said: [{ body: 'Abrimos às 8h' }] }])

  await set({ collectiveVacationStart: '2020-01-01', collectiveVacationEnd: '2999-01-01', collectiveVacationMessage: 'Férias!' })
  expect([await silent!.says('oi'), await silent!.says('oi')]).toEqual([['Férias!'], []])
  await set({ collectiveVacationStart: null, collectiveVacationEnd: null, timeCreateNewTicket: 0 })
  await opens(null)
  expect(await silent!.says('bom dia')).toEqual([]) // agents still have it
})

it('the steps of a ticket show that an empty notice sent nothing (A-HOURS-02, A-VAC-01)', async () => {
  const stepsOf = async (who: ReturnType<typeof customerOf>) => {
    expect(await who.says('oi')).toEqual([])
    return (await app.as('admin')('GET', `/tickets/${(await who.ticket()).id}/automation`)).body.steps
  }
  await opens('')
  expect(await stepsOf(customerOf(app, line()))).toMatchObject([{ rule: 'A-HOURS-02', reason: 'outOfHours', said: [] }])
  await set({ collectiveVacationStart: '2020-01-01', collectiveVacationEnd: '2999-01-01', collectiveVacationMessage: '' })
  expect(await stepsOf(customerOf(app, line()))).toMatchObject([{ rule: 'A-VAC-01', reason: 'vacation', said: [] }])
  await set({ collectiveVacationStart: null, collectiveVacationEnd: null })
  await opens(null)
})

it('a ticket written while closed is assigned when the company opens (A-ROT-01, A-HOURS-03)', async () => {
  const { db, company } = app
  const { ana } = company.users
  await app.socket('ana')
  const there = () => db.selectFrom('userPresence').select('online').where('id', '=', ana).executeTakeFirst()
  await eventually(there, (row) => row?.online === true)
  await db.updateTable('queue').set({ ativarRoteador: true, tempoRoteador: 5 }).where('id', '=', company.queues.vendas).execute()
  await app.set('scheduleType', 'connection')
  await set({ schedules: soon(), outOfHoursMessage: 'Abrimos logo' })
  const one = customerOf(app, line())
  expect(await one.says('oi')).toEqual(['Abrimos logo'])
  const { id, ...row } = await one.ticket()
  expect(row).toMatchObject({ status: 'pending', queueId: company.queues.vendas, userId: null })
  const opensIn = await dueOf(id, 'rotation')
  expect(opensIn).toBeGreaterThan(59 * 60_000)
  await goesBy(6)
  expect(await one.says('alguém?')).toEqual([])
  expect(await one.ticket()).toMatchObject({ userId: null })
  await goesBy(Math.ceil(opensIn / 60_000) - 5)
  await expect.poll(async () => (await one.ticket()).userId).toBe(ana)
  await db.updateTable('queue').set({ ativarRoteador: false }).where('id', '=', company.queues.vendas).execute()
  await opens(null)
})

it('no ticket is redirected into a closed queue (A-BOT-09, A-HOURS-02)', async () => {
  const { db, company } = app
  const { suporte } = company.queues
  await app.set('scheduleType', 'queue')
  await db.updateTable('queue').set({ schedules: soon() }).where('id', '=', suporte).execute()
  const { loja } = company.connections
  await hours(app).set({ greetingMessage: 'Com quem?', sendIdQueue: suporte, timeSendQueue: '5' }, loja)
  const one = customerOf(app, loja)
  await one.says('oi')
  const { id } = await one.ticket()
  const { next } = (await app.as('admin')('GET', `/tickets/${id}/automation`)).body
  expect(next).toMatchObject([{ rule: 'A-BOT-09' }])
  const opensIn = Date.parse(next[0].dueAt) - now()
  expect(opensIn).toBeGreaterThan(59 * 60_000)
  await goesBy(6)
  await expect.poll(() => dueOf(id, 'inactivity')).toBeGreaterThan(50 * 60_000) // the deadline was evaluated
  expect(await one.ticket()).toMatchObject({ queueId: null })
  await goesBy(Math.ceil(opensIn / 60_000) - 5)
  await expect.poll(async () => (await one.ticket()).queueId).toBe(suporte)
  await app.set('scheduleType', 'disabled')
})
