import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayRange } from '#domain/report/days.ts'
import { targetedIn, targetOf } from '#projections/report/targets.ts'
import { reportPage } from '#projections/report/tickets.ts'
import { received, sent } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'
import { ana, closingOf, company, on, request, type TicketFact, tell, ticket, zone } from './scene.ts'

/* The target for the first answer. Company 1 is in São Paulo (UTC-3). */
let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
  await company(tables)
})
afterAll(() => tables.drop())
beforeEach(() => sql`delete from rule_version`.execute(tables.db))

const rule = (kind: string, value: unknown, since: string | null = null) =>
  sql`insert into rule_version values (1, ${kind}, 0, ${since === null ? '-infinity' : on(since).at}, ${JSON.stringify(value)})`.execute(
    tables.db,
  )
const answered = (of: number, when: string): TicketFact =>
  ({ ...sent(of * 10, {}), by: { kind: 'user', id: ana }, ...on(when), of }) as TicketFact
async function target(day: string, now: string) {
  const at = Date.parse(on(now).at)
  const range = dayRange(zone, at, `2026-11-${day}`, `2026-11-${day}`)
  const scope = { companyId: 1, range, filters: { queueIds: [], connectionIds: [], userIds: [], limit: null } }
  return targetOf(tables.db, scope, at)
}
/** Five tickets that wait from 10:00 on, or later. */
const scene = () => [
  ...ticket(1, '10 10:00', '10 10:05', '10 11:00'),
  answered(1, '10 10:22'),
  ...ticket(2, '10 10:00', null, '10 10:10', { closing: { reason: 'bot', userId: null } }),
  ...ticket(3, '10 10:40'),
  ...ticket(4, '10 10:00', '10 10:05'),
  answered(4, '10 10:15'),
  ...ticket(5, '10 10:00', '10 10:01'),
  answered(5, '10 10:05'),
  { ...received(50, { body: 'obrigado' }), ...on('10 10:06'), of: 5 } as TicketFact,
  closingOf(5, '10 10:30'),
]

describe('the target for the first answer (A-COUNT-15, V29)', () => {
  it('is met up to its limit, and missed beyond it with or without an answer', async () => {
    await rule('firstAnswerTarget', '15')
    await tell(tables, ...scene())
    expect(await target('10', '10 11:00')).toEqual({ met: 2, missed: 2, open: 0, without: 1, percent: 50 })
    expect(await target('10', '10 10:55')).toEqual({ met: 2, missed: 1, open: 1, without: 1, percent: 67 })
  })
  it.each([
    ['any', [1, 3, 4, 5]],
    ['met', [4, 5]],
    ['missed', [1, 3]],
  ] as const)('has the tickets that it counts as the list behind it: %s', async (result, listed) => {
    await rule('firstAnswerTarget', '15')
    await tell(tables, ...scene())
    const asked = request({ first: '2026-11-10', last: '2026-11-10', counted: true })
    const targeted = await targetedIn(tables.db, asked.scope, Date.parse(on('10 11:00').at), result)
    const { rows, total } = await reportPage(tables.db, { ...asked, targeted }, 1, 10)
    expect([rows.map(({ id }) => id).toSorted((a, b) => a - b), total]).toEqual([listed, listed.length])
  })
  it('stays missed after a late answer, and after a closing', async () => {
    await rule('firstAnswerTarget', '15')
    await tell(
      tables,
      ...scene(),
      answered(3, '10 11:10'),
      ...ticket(6, '10 10:00', null, '10 10:16', { closing: { reason: 'expired', userId: null } }),
    )
    expect(await target('10', '10 12:00')).toMatchObject({ met: 2, missed: 3, percent: 40 })
  })
  it('counts with the value that was in force when the wait began', async () => {
    await rule('firstAnswerTarget', '15', '10 09:00')
    await rule('firstAnswerTarget', '60', '10 10:30')
    await tell(tables, ...scene(), ...ticket(7, '10 08:00', '10 08:01'))
    expect(await target('10', '10 11:00')).toEqual({ met: 2, missed: 1, open: 1, without: 2, percent: 67 })
    await rule('firstAnswerTarget', '', '10 11:00')
    expect(await target('10', '10 12:00')).toMatchObject({ met: 2, missed: 2 })
  })
  it('counts service hours only, unless the company wants all hours', async () => {
    const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
    await rule('scheduleType', 'company')
    await rule(
      'company',
      names.map((weekdayEn) => ({ weekdayEn, startTimeA: '08:00', endTimeA: '18:00', startTimeB: '', endTimeB: '' })),
    )
    await rule('firstAnswerTarget', '15')
    await tell(tables, ...ticket(1, '10 17:50', '11 08:01'), answered(1, '11 08:05'), ...ticket(2, '10 17:50'))
    expect(await target('10', '11 08:05')).toMatchObject({ met: 1, missed: 0, open: 1 })
    expect(await target('10', '11 08:06')).toMatchObject({ met: 1, missed: 1, open: 0 })
    await rule('firstAnswerTargetOpenHours', 'disabled')
    expect(await target('10', '11 08:05')).toMatchObject({ met: 0, missed: 2 })
  })
  it('is absent without one, and a day without tickets has no percentage', async () => {
    await tell(tables, ...scene())
    expect(await target('10', '10 11:00')).toBe(null)
    await rule('firstAnswerTarget', '15')
    expect(await target('09', '10 11:00')).toEqual({ met: 0, missed: 0, open: 0, without: 0, percent: null })
  })
})
