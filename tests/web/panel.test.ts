import { describe, expect, it } from 'vitest'
import { listsAgent } from '#domain/access.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { columnsOf, keepColumns, lateTickets, noFilter, waitsSince } from '#web/panel/columns.ts'

const at = (time: string) => `2026-11-10T${time}:00.000Z`
const ticket = (id: number, to: Partial<TicketRow>): TicketRow =>
  ({
    ...{ id, status: 'pending', isBot: false, userId: null, queueId: 5, user: null },
    ...{ waitingSince: null, lastMessageFromMe: false, lastMessageAt: null, ...to },
  }) as TicketRow
/* The scene V23 at 10:30: 1 waits, 2 and 3 are served by Ana, 5 is with the bot. */
const rows = [
  ticket(1, { waitingSince: at('10:00') }),
  ticket(2, { status: 'open', userId: 7, lastMessageAt: at('10:18') }),
  ticket(3, { status: 'open', userId: 7, lastMessageAt: at('10:20'), lastMessageFromMe: true }),
  ticket(5, { isBot: true, waitingSince: at('10:28') }),
]
const agents = [
  { id: 7, name: 'Ana', online: true },
  { id: 8, name: 'Bia', online: false },
]
const shown = (...of: Parameters<typeof columnsOf>) => columnsOf(...of).map(({ id, tickets }) => [id, tickets.map((row) => row.id)])

describe('the panel', () => {
  it('shows who waits for people, who is with the bot, and the tickets of each agent', () =>
    expect(shown(rows, agents, noFilter, false)).toEqual([
      ['waiting', [1]],
      ['bot', [5]],
      [7, [2, 3]],
    ]))

  it('keeps each column that a change leaves alone, so that only the others render', () => {
    const before = columnsOf(rows, agents, noFilter, true)
    const moved = rows.map((row) => (row.id === 1 ? { ...row, status: 'open' as const, userId: 8 } : row))
    const now = keepColumns(before, columnsOf(moved, agents, noFilter, true))
    expect(now.map((column, at) => column === before[at])).toEqual([false, true, true, false])
    const renamed = agents.map((one) => ({ ...one, online: true }))
    expect(keepColumns(now, columnsOf(moved, renamed, noFilter, true)).map((column) => now.includes(column))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it('counts a waiting time only while it is not the turn of the contact or the bot', () =>
    expect(rows.map(waitsSince)).toEqual([at('10:00'), at('10:18'), null, null]))

  it('shows agents without tickets if they are online or on request, and filters', () => {
    expect(shown(rows, agents, noFilter, true).at(-1)).toEqual([8, []])
    expect(shown(rows, agents, { ...noFilter, status: 'pending' }, false)).toEqual([
      ['waiting', [1]],
      ['bot', [5]],
      [7, []],
    ])
    expect(shown(rows, agents, { ...noFilter, queueId: 9 }, false)).toEqual([
      ['waiting', []],
      ['bot', []],
      [7, []],
    ])
  })

  it('keeps the tickets of an agent who is not among the users', () =>
    expect(shown([ticket(4, { status: 'open', userId: 9 })], agents, noFilter, false).at(-1)).toEqual([9, [4]]))

  it('puts those who wait longest first', () => {
    const two = [ticket(1, { waitingSince: at('10:05') }), ticket(2, { waitingSince: at('10:01') })]
    expect(shown(two, [], noFilter, false)[0]).toEqual(['waiting', [2, 1]])
  })

  it('a ticket is late at the limit of the company', () => {
    const late = (minutes: number) => [...lateTickets(rows, Date.parse(at('10:30')), { due: 5, late: minutes })]
    expect([late(31), late(30), late(12)]).toEqual([[], [1], [1, 2]])
  })
})

describe('the agents that a viewer who is limited to queue 5 is shown (A-VIS-04)', () => {
  const limited = { reportQueueIds: [5] }
  const agent = (queueId: number, profile = 'user') => ({ profile, queues: [{ id: queueId }] })
  it.each([
    ['serves the queue', agent(5), false, true],
    ['serves another queue', agent(6), false, false],
    ['serves another queue and has a ticket of this one', agent(6), true, true],
    ['is an administrator', agent(5, 'admin'), false, false],
    ['is an administrator with a ticket of the queue', agent(6, 'admin'), true, true],
  ] as const)('one who %s', (_, user, hasTickets, isListed) => expect(listsAgent(limited, user, hasTickets)).toBe(isListed))
  it('are all for a viewer without a limit', () => expect(listsAgent({ reportQueueIds: null }, agent(6, 'admin'), false)).toBe(true))
})
