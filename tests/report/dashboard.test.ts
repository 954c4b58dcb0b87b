import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { barsIn, dayRange, periodBefore } from '#domain/report/days.ts'
import { attendantsOf, barsOf, countersOf } from '#projections/report/dashboard.ts'
import { changedSince, reportPage } from '#projections/report/tickets.ts'
import { contact, deleted, opened, servedBy, system, user } from '#tests/support/story.ts'
import { openTables } from '#tests/support/tables.ts'
import { ana, closingOf, davi, on, request, suporte, type TicketFact, tell as tellTables, ticket, vendas, zone } from './scene.ts'

/* The numbers of the dashboard from events. Company 1 is in São Paulo (UTC-3); Ana is user 7, Bia 8; see scene.ts. */
const bia = davi
let tables: Awaited<ReturnType<typeof openTables>>
beforeAll(async () => {
  tables = await openTables()
})
afterAll(() => tables.drop())
let next = 100
const closing = closingOf
const many = (n: number, make: (of: number) => TicketFact[]) => Array.from({ length: n }, () => make(next++)).flat()

const tell = (...facts: TicketFact[]) => tellTables(tables, ...facts)
const asked = (first: string, last = first, filters: object = {}, now = '2026-12-01 12:00', companyId = 1) => {
  const at = Date.parse(on(now).at)
  const range = dayRange(zone, at, first, last)
  const scope = { companyId, range, filters: { queueIds: [], connectionIds: [], userIds: [], limit: null, ...filters } }
  return {
    counters: () => countersOf(tables.db, scope, periodBefore(zone, at, range)),
    attendants: () => attendantsOf(tables.db, scope),
    bars: () => barsOf(tables.db, scope, zone, barsIn(zone, at, range)),
  }
}
const november = (day: string) => `2026-11-${day}`

describe('created (A-COUNT-01, A-COUNT-02)', () => {
  it('counts the tickets of the local day, and the hours add up to it (V3)', async () => {
    await tell(
      ...many(12, (of) => ticket(of, '10 01:30')),
      ...many(31, (of) => ticket(of, '10 14:00')),
      ...many(9, (of) => ticket(of, '10 22:30')),
      ...many(2, (of) => ticket(of, '11 00:00')),
    )
    const day = asked(november('10'))
    const bars = await day.bars()
    expect((await day.counters()).tickets).toBe(52)
    expect(bars.filter(({ total }) => total > 0).map(({ horario, total }) => [horario, total])).toEqual([
      ['01', 12],
      ['14', 31],
      ['22', 9],
    ])
  })

  it('a day without tickets is a bar of 0, and a day to come is marked (V33)', async () => {
    const perDay = [10, 12, 9, 0, 14, 3, 1]
    await tell(...perDay.flatMap((n, i) => many(n, (of) => ticket(of, `${String(i + 1).padStart(2, '0')} 10:00`))))
    const week = await asked(november('01'), november('10'), {}, '07 12:00').bars()
    expect(week.map(({ total }) => total)).toEqual([...perDay, 0, 0, 0])
    expect(week.filter(({ future }) => future).map(({ data }) => data)).toEqual(['08', '09', '10'].map(november))
    const sums = [2, 3, 7].map((days) => asked(november('01'), november(`0${days}`)).counters())
    expect((await Promise.all(sums)).map(({ tickets: n }) => n)).toEqual([22, 31, 49])
  })
})

describe('finalized (A-COUNT-03, A-COUNT-04)', () => {
  it('counts tickets and not closings, and a closing stays on its day (V4)', async () => {
    await tell(
      ...ticket(501, '2026-10-31 23:50', '01 00:10', '01 00:40'),
      { type: 'TicketReopened', userId: ana, queueId: vendas, ...on('01 09:00'), of: 501 },
      closing(501, '01 09:30'),
    )
    const of = async (first: string, last = first) => {
      const { tickets, supportFinished, closings, reopened } = await asked(first, last).counters()
      return [tickets, supportFinished, closings, reopened]
    }
    expect(await of('2026-10-31')).toEqual([1, 0, 0, 0])
    expect(await of(november('01'))).toEqual([0, 1, 2, 1])
    expect(await of('2026-10-01', '2026-10-31')).toEqual([1, 0, 0, 0])
    expect(await of('2026-10-01', november('30'))).toEqual([1, 1, 2, 1])
    const { times } = await asked(november('01')).counters()
    expect([times.waiting, times.support].map(({ n, average }) => [n, average])).toEqual([
      [1, 20 * 60],
      [1, 60 * 60],
    ])
  })

  it('keeps the day after a reopening, and loses only deleted tickets, which it names (V6)', async () => {
    const day = '2026-10-30'
    const tickets = many(12, (of) => ticket(of, `${day} 09:00`, `${day} 09:10`, `${day} 10:00`))
    const [first, second, third] = [...new Set(tickets.map(({ of }) => of))]
    const reopens = [first!, second!].map(
      (of): TicketFact => ({ type: 'TicketReopened', userId: ana, queueId: vendas, ...on('04 09:00'), of }),
    )
    await tell(...tickets, ...reopens)
    const before = asked(day)
    expect(await before.counters()).toMatchObject({ supportFinished: 12, reopenedSince: 2, deletedSince: 0 })
    expect((await before.attendants()).map(({ tickets: n }) => n)).toEqual([12])
    await tell(...tickets, ...reopens, { ...deleted, ...on('05 09:00'), of: third! })
    const behind = request({ first: day, last: day, dateField: 'closedAt' })
    expect((await reportPage(tables.db, behind, 1, 20)).total).toBe(11)
    expect(await changedSince(tables.db, behind)).toEqual({ reopened: 2, deleted: 1 })
    expect(await changedSince(tables.db, { ...behind, statuses: ['closed'] })).toEqual({ reopened: 0, deleted: 0 })
    expect(await before.counters()).toMatchObject({ supportFinished: 11, reopenedSince: 2, deletedSince: 1 })
  })

  it('a ticket that a transfer continues is created and finalized once (A-COUNT-09, V15)', async () => {
    const successor = { ticketId: 701, uuid: 'x', userId: null, queueId: suporte }
    const transfer = { userId: null, fromUserId: ana, fromQueueId: vendas }
    await tell(
      ...ticket(700, '10 10:00', '10 10:02', '10 10:10', { closing: { reason: 'transfer', successor } }),
      { ...opened({ ticketId: 701, queueId: suporte, predecessorId: 700, transfer }), by: user(ana), ...on('10 10:10'), of: 701 },
      { ...servedBy(bia, suporte), ...on('10 10:15'), of: 701 },
      closing(701, '10 10:30', bia),
    )
    expect(await asked(november('10')).counters()).toMatchObject({ tickets: 1, supportFinished: 1 })
  })

  it('a ticket that is closed, reopened and continued by a transfer is finalized once', async () => {
    const successor = { ticketId: 703, uuid: 'x', userId: null, queueId: suporte }
    await tell(
      ...ticket(702, '10 10:00', '10 10:02', '10 10:10'),
      { type: 'TicketReopened', userId: ana, queueId: vendas, ...on('10 11:00'), of: 702 },
      closing(702, '10 11:10', ana, { reason: 'transfer', successor }),
    )
    expect(await asked(november('10')).counters()).toMatchObject({ tickets: 1, supportFinished: 1 })
  })

  it('leaves out refused consent, which has a line of its own (A-COUNT-10)', async () => {
    const refused = { reason: 'consentRefused', userId: null, by: contact }
    const request: TicketFact = {
      type: 'ConsentRequested',
      times: 1,
      asks: true,
      text: 'x',
      rule: 'A',
      by: system,
      ...on('10 09:00'),
      of: 1,
    }
    await tell(...ticket(1, '10 09:00'), request, closing(1, '10 09:05', ana, refused))
    expect(await asked(november('10')).counters()).toMatchObject({ tickets: 0, supportFinished: 0, consentRefused: 1 })
  })
})

describe('agents (A-COUNT-08, A-COUNT-11)', () => {
  it('the table adds up to the card, with the tickets that no agent served (V16)', async () => {
    await tell(
      ...many(6, (of) => ticket(of, '10 09:00', '10 09:10', '10 10:00')),
      ...many(2, (of) => ticket(of, '10 09:00', '10 09:10', '10 10:00', { closing: { reason: 'expired', by: system } })),
      ...many(1, (of) => ticket(of, '10 09:00', '10 09:10', '10 10:00', { closing: { reason: 'closeAll', by: user(bia) } })),
      ...many(3, (of) => ticket(of, '10 09:00', null, '10 09:05', { closing: { reason: 'bot', userId: null, by: system } })),
      ...many(1, (of) => ticket(of, '10 09:00', null, '10 09:05', { closing: { reason: 'ignored', userId: null, by: user(bia) } })),
    )
    const { counters, attendants } = asked(november('10'))
    expect((await counters()).supportFinished).toBe(13)
    expect(
      (await attendants()).map(({ tickets, byHand, byRule, closeAll, byOthers, times }) => [
        tickets,
        byHand,
        byRule,
        closeAll,
        byOthers,
        times.support.n,
      ]),
    ).toEqual([
      [9, 6, 2, 1, 0, 9],
      [4, 0, 3, 0, 1, 0],
    ])
  })

  it('all values of a row come from the tickets finalized in the range (V12)', async () => {
    await tell(
      ...many(8, (of) => ticket(of, '2026-09-20 09:00', '2026-09-20 09:10', '2026-10-05 10:00')),
      ...many(2, (of) => ticket(of, '2026-10-04 09:00', '2026-10-04 09:10', '2026-10-05 10:00')),
      ...many(5, (of) => ticket(of, '2026-10-20 09:00', '2026-10-20 09:10')),
    )
    const [row] = await asked('2026-10-01', '2026-10-31').attendants()
    expect([row!.tickets, row!.times.waiting.n, row!.times.support.n, row!.avgWaitTime]).toEqual([10, 10, 10, 10])
  })
})

describe('ratings (A-NPS-03, A-COUNT-12)', () => {
  const rated = (rating: number) =>
    many(1, (of): TicketFact[] => [
      ...ticket(of, '10 09:00', '10 09:10'),
      { type: 'RatingRequested', times: 1, rule: 'A-NPS-02', by: user(ana), ...on('10 10:00'), of },
      { type: 'TicketRated', rating, by: contact, ...on('10 10:05'), of },
      closing(of, '10 10:05', ana, { reason: 'rated', by: contact, resolvedAt: on('10 10:00').at }),
    ])
  it.each([
    [[0, 6, 7, 8, 9, 10, 10], [3, 2, 2], 14, [43, 29, 28]],
    [[9, 9, 9, 9, 7, 0, 0], [4, 1, 2], 29, [57, 14, 29]],
    [[9, 9, 7, 7, 7, 0, 0, 0], [2, 3, 3], -13, [25, 38, 37]],
    [[9, 7, 0], [1, 1, 1], 0, [34, 33, 33]],
  ])('of %j', async (values, parts, score, shares) => {
    await tell(...values.flatMap(rated))
    const found = await asked(november('10')).counters()
    expect([found.promoters, found.passive, found.detractors, found.npsScore, found.percRating]).toEqual([...parts, score, 100])
    const perc = [found.npsPromotersPerc, found.npsPassivePerc, found.npsDetractorsPerc]
    expect(perc.reduce((a, b) => a + b)).toBe(100)
    expect(perc).toEqual(shares)
  })

  it('the index is rated of the finalized tickets, and never more than 100 % (V13)', async () => {
    await tell(
      ...Array.from({ length: 30 }, () => rated(9)).flat(),
      ...many(10, (of) => ticket(of, '2026-10-01 09:00', '2026-10-01 09:10', '10 10:00')),
    )
    expect(await asked(november('10')).counters()).toMatchObject({ supportFinished: 40, withRating: 30, percRating: 75 })
  })

  it('a rating stays with its agent if another one closes the ticket later without one (V37)', async () => {
    await tell(
      ...ticket(801, '10 09:50', '10 09:55'),
      { type: 'RatingRequested', times: 1, rule: 'A-NPS-02', by: user(ana), ...on('10 10:00'), of: 801 },
      { type: 'TicketRated', rating: 3, by: contact, ...on('10 10:05'), of: 801 },
      closing(801, '10 10:05', ana, { reason: 'rated', by: contact }),
      { type: 'TicketReopened', userId: bia, queueId: vendas, by: user(bia), ...on('10 10:20'), of: 801 },
      closing(801, '10 10:40', bia),
    )
    const rows = await asked(november('10')).attendants()
    expect(rows.map(({ id, tickets, countRating, rating }) => [id, tickets, countRating, rating])).toEqual([
      [bia, 1, 0, null],
      [ana, 0, 1, 3],
    ])
    expect(await asked(november('10')).counters()).toMatchObject({ supportFinished: 1, withRating: 1, detractors: 1, percRating: 100 })
    const rated = await reportPage(tables.db, request({ dateField: 'closedAt', onlyRated: true }), 1, 10)
    expect(rated.rows.map(({ id, userId, NPS }) => [id, userId, NPS])).toEqual([[801, ana, 3]])
  })

  it('without any rating the score is 0, and without tickets no time is measured (A-COUNT-13, V38)', async () => {
    await tell(...ticket(1, '09 09:00'))
    const none = { n: 0, average: null, median: null, p90: null }
    expect(await asked(november('10')).counters()).toMatchObject({
      npsScore: 0,
      percRating: 0,
      times: { waiting: none, firstAnswer: none },
    })
  })
})

describe('times (A-COUNT-12)', () => {
  it('median and 90th percentile are interpolated, and the average is that of all tickets (V39)', async () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    const waited = (minutes: number, who: number) =>
      many(1, (of) =>
        ticket(
          of,
          '10 08:00',
          `10 ${String(8 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`,
          '10 12:00',
          { who },
        ),
      )
    await tell(...waits.flatMap((minutes) => waited(minutes, bia)), ...waited(100, ana))
    const { waiting } = (await asked(november('10')).counters()).times
    expect([waiting.n, waiting.average! / 60, waiting.median! / 60, Math.round(waiting.p90! / 6) / 10]).toEqual([10, 14.5, 5.5, 18.1])
    expect((await asked(november('10')).attendants()).map(({ avgWaitTime }) => avgWaitTime)).toEqual([5, 100])
  })
})

describe('filters and companies', () => {
  it('are OR inside a field and AND between fields; an unknown id finds nothing (V24)', async () => {
    await tell(
      ...ticket(1, '10 09:00', '10 09:10', '10 10:00'),
      ...ticket(2, '10 09:00', '10 09:10', '10 10:00', { queueId: suporte, who: bia }),
      ...ticket(3, '10 09:00', '10 09:10', '10 10:00', { queueId: 9 }),
    )
    const n = async (filters: object) => {
      const { supportFinished, tickets } = await asked(november('10'), november('10'), filters).counters()
      return [supportFinished, tickets]
    }
    expect(await n({ queueIds: [vendas, suporte] })).toEqual([2, 2])
    expect(await n({ queueIds: [vendas, suporte], userIds: [bia] })).toEqual([1, 1])
    expect(await n({ queueIds: [vendas, 99999] })).toEqual([1, 1])
    expect(await n({ queueIds: [99999] })).toEqual([0, 0])
  })

  it('another company counts nothing (V1)', async () => {
    await tell(...ticket(1, '10 09:00', '10 09:10', '10 10:00'))
    const norte = asked(november('10'), november('10'), {}, '2026-12-01 12:00', 2)
    expect(await norte.counters()).toMatchObject({ tickets: 0, supportFinished: 0, supportHappening: 0, closings: 0 })
    expect([await norte.attendants(), (await norte.bars()).some(({ total }) => total > 0)]).toEqual([[], false])
  })

  it('the period before has the same length (A-COUNT-13)', async () => {
    await tell(
      ...many(3, (of) => ticket(of, '09 10:00')),
      ...many(2, (of) => ticket(of, '09 20:00')),
      ...many(4, (of) => ticket(of, '10 10:00')),
    )
    expect((await asked(november('10')).counters()).previous.tickets).toBe(5)
    expect((await asked(november('10'), november('10'), {}, '10 12:00').counters()).previous.tickets).toBe(3)
  })
})
