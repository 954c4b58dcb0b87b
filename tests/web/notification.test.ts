import { describe, expect, it } from 'vitest'
import { createTicketTracker, type Notified } from '#web/notification/reason.ts'

const me = 7
const at = (minute: number) => `2026-12-01T12:${String(minute).padStart(2, '0')}:00.000Z`
const row = (more: Partial<Notified> = {}): Notified => ({
  ...{ id: 1, status: 'open', userId: me, unreadMessages: 0, transfer: null, isBot: false },
  ...{ lastMessageFromMe: false, lastMessageAt: at(0), waitingSince: null, updatedAt: at(0), openedAt: at(0), contact: { active: true } },
  ...more,
})
const waitingRow = (more: Partial<Notified> = {}) =>
  row({ status: 'pending', userId: null, unreadMessages: 1, waitingSince: at(0), ...more })
const handedOver = { user: null, at: at(1), note: null }

/** The reasons of these changes, in order. */
function reasons(known: Notified[], changes: Notified[], waiting = true) {
  const tracker = createTicketTracker(me, () => waiting)
  tracker.load(known)
  return changes.map((change) => tracker.change(change))
}

describe('who is notified (A-NOTIF-01)', () => {
  it('each new message in an own ticket notifies, and reading does not', () => {
    const changes = [row({ unreadMessages: 1 }), row({ unreadMessages: 2 }), row({ unreadMessages: 2, updatedAt: at(2) }), row()]
    expect(reasons([row()], changes)).toEqual(['message', 'message', null, null])
  })
  it('a message in an own ticket that is not loaded notifies, its acceptance does not', () => {
    const unknown = row({ unreadMessages: 3, lastMessageAt: at(5), updatedAt: at(6) })
    expect(reasons([], [unknown])).toEqual(['message'])
    expect(reasons([], [{ ...unknown, openedAt: at(6) }])).toEqual([null])
    expect(reasons([], [{ ...unknown, unreadMessages: 0 }])).toEqual([null])
  })
  it('a new waiting ticket notifies once, if the company wants it', () => {
    const changes = [waitingRow({ unreadMessages: 0 }), waitingRow(), waitingRow({ unreadMessages: 2 })]
    expect(reasons([], changes)).toEqual([null, 'waiting', null])
    expect(reasons([], changes, false)).toEqual([null, null, null])
    expect(reasons([waitingRow()], [waitingRow({ unreadMessages: 2 })])).toEqual([null])
  })
  it('a ticket with the bot notifies when it is handed over to people', () => {
    expect(reasons([], [waitingRow({ isBot: true }), waitingRow({ isBot: false })])).toEqual([null, 'waiting'])
  })
  it('a ticket that a colleague or rotation assigns notifies, also without a new message', () => {
    const colleagues = row({ userId: 8, unreadMessages: 0 })
    expect(reasons([colleagues], [row({ transfer: handedOver })])).toEqual(['assigned'])
    expect(reasons([], [row({ transfer: handedOver, unreadMessages: 2 })])).toEqual(['assigned'])
    expect(reasons([waitingRow()], [waitingRow({ userId: me })], false)).toEqual(['assigned'])
  })
  it('a ticket that the user accepted or returned does not notify', () => {
    expect(reasons([waitingRow()], [row({ unreadMessages: 1, updatedAt: at(3) })])).toEqual([null])
    expect(reasons([row({ unreadMessages: 1 })], [waitingRow()])).toEqual([null])
  })
  it.each<[string, Notified]>([
    ['a blocked contact', row({ unreadMessages: 1, contact: { active: false } })],
    ['a ticket of a colleague', row({ userId: 8, unreadMessages: 1 })],
    ['a ticket that waits for consent', row({ status: 'lgpd', userId: null, unreadMessages: 1 })],
    ['a ticket that waits for a rating (R-LAYOUT-12)', row({ status: 'nps', unreadMessages: 1 })],
    ['a message of one’s own from another device', row({ lastMessageFromMe: true })],
  ])('%s does not notify', (_, changed) => {
    expect(reasons([], [changed])).toEqual([null])
  })
  it('a message after a blocked contact is unblocked notifies', () => {
    const blocked = row({ unreadMessages: 1, contact: { active: false } })
    expect(reasons([row()], [blocked, row({ unreadMessages: 2 })])).toEqual([null, 'message'])
  })
  it('a deleted ticket is forgotten', () => {
    const tracker = createTicketTracker(me, () => true)
    tracker.load([waitingRow()])
    tracker.drop(1)
    expect(tracker.change(waitingRow())).toBe('waiting')
  })
})

describe('after a gap', () => {
  const since = at(10)
  it('the tickets that changed meanwhile and are still unread notify, the others do not', () => {
    const tracker = createTicketTracker(me, () => true)
    tracker.load([row({ id: 1, unreadMessages: 1 }), row({ id: 2, unreadMessages: 1 }), row({ id: 3 })])
    const rows = [
      row({ id: 1, unreadMessages: 2, updatedAt: at(11) }),
      row({ id: 2, unreadMessages: 1, updatedAt: at(12) }),
      row({ id: 4, unreadMessages: 1, lastMessageAt: at(13), updatedAt: at(13) }),
      row({ id: 5, unreadMessages: 1, lastMessageAt: at(9), updatedAt: at(9) }),
      waitingRow({ id: 6, waitingSince: at(14), updatedAt: at(14) }),
      waitingRow({ id: 7, waitingSince: at(2), updatedAt: at(15) }),
      row({ id: 8, transfer: { ...handedOver, at: at(16) }, updatedAt: at(16) }),
    ]
    const found = tracker.afterGap(rows, since).map(({ row: { id }, reason }) => [id, reason])
    expect(found).toEqual([
      [1, 'message'],
      [4, 'message'],
      [6, 'waiting'],
      [8, 'assigned'],
    ])
  })
  it('a change that was known before the gap does not notify again', () => {
    const tracker = createTicketTracker(me, () => true)
    const known = row({ unreadMessages: 1, lastMessageAt: at(11), updatedAt: at(11) })
    expect(tracker.change(known)).toBe('message')
    expect(tracker.afterGap([known], since)).toEqual([])
  })
})
