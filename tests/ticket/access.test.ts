import { describe, expect, it } from 'vitest'
import { by, closed, deleted, given, inGroup, later, received, sent, servedBy, system, waiting } from '#tests/support/story.ts'

const access = { type: 'Access' as const, userId: 7 }
const seen = { type: 'TicketAccessed' as const, userId: 7 }

describe('opening a ticket on screen (A-TICKET-06)', () => {
  it('records an access event', () => given(waiting).when(access).then(seen))
  it('records one access event per user in ten minutes', () => {
    given(waiting, seen)
      .when({ ...access, at: later(9) })
      .nothing()
    given(waiting, seen)
      .when({ ...access, at: later(10) })
      .then(seen)
  })
  it('records one access event for each of two users', () =>
    given(waiting, seen)
      .when({ ...access, userId: 8 })
      .then({ ...seen, userId: 8 }))
  it('marks no message as read, not even for the owner', () => given(waiting, servedBy(7), received(1)).when(access).then(seen))
  it('is refused for a missing or deleted ticket', () => {
    given().when(access).refused('ERR_NO_TICKET_FOUND')
    given(waiting, deleted).when(access).refused('ERR_NO_TICKET_FOUND')
  })
})

describe('reading a ticket without opening it (A-TICKET-06)', () => {
  const through = (mode: 'peek' | 'print' | 'export' | 'replay') => ({ ...access, mode })
  it.each(['peek', 'print', 'export', 'replay'] as const)('records the kind of access: %s', (how) =>
    given(waiting)
      .when(through(how))
      .then({ ...seen, mode: how }),
  )
  it('records one access event per user and kind in ten minutes', () => {
    given(waiting, { ...seen, mode: 'replay' })
      .when({ ...through('replay'), at: later(9) })
      .nothing()
    given(waiting, { ...seen, mode: 'replay' })
      .when({ ...through('replay'), at: later(10) })
      .then({ ...seen, mode: 'replay' })
    given(waiting, seen)
      .when(through('print'))
      .then({ ...seen, mode: 'print' })
  })
  it('records no peek within ten minutes of an opening or a replay by the same user', () => {
    given(waiting, seen).when(through('peek')).nothing()
    given(waiting, { ...seen, mode: 'replay' })
      .when(through('peek'))
      .nothing()
    given(waiting, seen)
      .when({ ...through('peek'), at: later(10) })
      .then({ ...seen, mode: 'peek' })
  })
  it('records an opening after a peek by the same user', () =>
    given(waiting, { ...seen, mode: 'peek' })
      .when(access)
      .then(seen))
})

describe('marking messages as read (A-TICKET-06)', () => {
  const upTo = (messageId: number) => ({ type: 'Read' as const, userId: 7, messageId })
  const readUpTo = (messageId: number, left: number) => ({ type: 'TicketRead' as const, userId: 7, messageId, left })
  it('marks messages as read for the owner and leaves later messages unread', () => {
    given(waiting, servedBy(7), received(1), received(2)).when(upTo(1)).then(readUpTo(1, 1))
    given(waiting, servedBy(7), received(1), received(2)).when(upTo(2)).then(readUpTo(2, 0))
  })
  it('marks nothing as read for other agents, nor while nobody serves the ticket', () => {
    given(waiting, servedBy(8), received(1)).when(upTo(1)).nothing()
    given(waiting, received(1)).when(upTo(1)).nothing()
  })
  it('marks messages of a group as read for any agent', () => given(inGroup, servedBy(8), received(1)).when(upTo(1)).then(readUpTo(1, 0)))
  it('does nothing for messages that are already read, older or unknown', () => {
    const seen = given(waiting, servedBy(7), received(1), received(2), received(3), readUpTo(2, 1))
    seen.when(upTo(2)).nothing()
    seen.when(upTo(1)).nothing()
    seen.when(upTo(99)).nothing()
  })
  it('marks later messages as read', () =>
    given(waiting, servedBy(7), received(1), readUpTo(1, 0), received(2)).when(upTo(2)).then(readUpTo(2, 0)))
  it('marks messages as read that a close removed from the badge, once the ticket is reopened', () => {
    const unread = given(waiting, servedBy(7), received(1), closed, { type: 'TicketReopened', userId: 7, queueId: 5 })
    unread.when(upTo(1)).then(readUpTo(1, 0))
    given(waiting, servedBy(7), received(1), sent(2), closed, { type: 'TicketReopened', userId: 7, queueId: 5 }).when(upTo(1)).nothing()
  })
  it('is refused for a missing or deleted ticket', () => {
    given().when(upTo(1)).refused('ERR_NO_TICKET_FOUND')
    given(waiting, deleted).when(upTo(1)).refused('ERR_NO_TICKET_FOUND')
  })
})

describe('the unread count', () => {
  it('is not cleared by a system message, such as the greeting after accepting', () =>
    expect(given(waiting, received(1), sent(2, by(system))).folded()).toMatchObject({ unread: 1 }))
  it('grows with each message of the contact', () => expect(given(waiting, received(1), received(2)).folded()).toMatchObject({ unread: 2 }))
  it('is cleared by an answer', () => expect(given(waiting, received(1), sent(2)).folded()).toMatchObject({ unread: 0 }))
  it('is not cleared by an internal message (A-MSG-02)', () =>
    expect(given(waiting, received(1), sent(2, { private: true })).folded()).toMatchObject({ unread: 1 }))
})
