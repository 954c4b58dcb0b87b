import { describe, expect, it } from 'vitest'
import { by, closed, deleted, given, inGroup, later, received, sent, servedBy, system, waiting } from '#tests/support/story.ts'

const access = { type: 'Access' as const, userId: 7 }
const seen = { type: 'TicketAccessed' as const, userId: 7 }
const read = { type: 'TicketRead' as const, userId: 7 }

describe('opening a ticket on screen (A-TICKET-06)', () => {
  it('leaves an entry', () => given(waiting).when(access).then(seen))
  it('leaves one entry a user in ten minutes', () => {
    given(waiting, seen)
      .when({ ...access, at: later(9) })
      .nothing()
    given(waiting, seen)
      .when({ ...access, at: later(10) })
      .then(seen)
  })
  it('leaves one entry each for two users', () =>
    given(waiting, seen)
      .when({ ...access, userId: 8 })
      .then({ ...seen, userId: 8 }))
  it('reads nothing, for its owner neither', () => given(waiting, servedBy(7), received(1)).when(access).then(seen))
  it('is refused for a ticket that is not there, or no longer', () => {
    given().when(access).refused('ERR_NO_TICKET_FOUND')
    given(waiting, deleted).when(access).refused('ERR_NO_TICKET_FOUND')
  })
})

describe('reading a ticket without opening it (A-TICKET-06)', () => {
  const way = (way: 'peek' | 'print' | 'export' | 'replay') => ({ ...access, way })
  it.each(['peek', 'print', 'export', 'replay'] as const)('leaves an entry that says how: %s', (how) =>
    given(waiting)
      .when(way(how))
      .then({ ...seen, way: how }),
  )
  it('leaves one entry a user and way in ten minutes', () => {
    given(waiting, { ...seen, way: 'replay' })
      .when({ ...way('replay'), at: later(9) })
      .nothing()
    given(waiting, { ...seen, way: 'replay' })
      .when({ ...way('replay'), at: later(10) })
      .then({ ...seen, way: 'replay' })
    given(waiting, seen)
      .when(way('print'))
      .then({ ...seen, way: 'print' })
  })
  it('is no peek of one who opened, printed or replayed it a moment ago', () => {
    given(waiting, seen).when(way('peek')).nothing()
    given(waiting, { ...seen, way: 'replay' })
      .when(way('peek'))
      .nothing()
    given(waiting, seen)
      .when({ ...way('peek'), at: later(10) })
      .then({ ...seen, way: 'peek' })
  })
  it('is no opening: who peeked and opens leaves both', () =>
    given(waiting, { ...seen, way: 'peek' })
      .when(access)
      .then(seen))
})

describe('having seen messages (A-TICKET-06)', () => {
  const upTo = (messageId: number) => ({ type: 'Read' as const, userId: 7, messageId })
  const told = (messageId: number, left: number) => ({ type: 'TicketRead' as const, userId: 7, messageId, left })
  it('reads them for its owner, and leaves unread what came behind', () => {
    given(waiting, servedBy(7), received(1), received(2)).when(upTo(1)).then(told(1, 1))
    given(waiting, servedBy(7), received(1), received(2)).when(upTo(2)).then(told(2, 0))
  })
  it('reads nothing for one who only looks, nor while nobody serves it', () => {
    given(waiting, servedBy(8), received(1)).when(upTo(1)).nothing()
    given(waiting, received(1)).when(upTo(1)).nothing()
  })
  it('reads a group for anybody', () => given(inGroup, servedBy(8), received(1)).when(upTo(1)).then(told(1, 0)))
  it('does nothing the second time, nor for an older message or one of elsewhere', () => {
    const seen = given(waiting, servedBy(7), received(1), received(2), received(3), told(2, 1))
    seen.when(upTo(2)).nothing()
    seen.when(upTo(1)).nothing()
    seen.when(upTo(99)).nothing()
  })
  it('reads again what came since', () => given(waiting, servedBy(7), received(1), told(1, 0), received(2)).when(upTo(2)).then(told(2, 0)))
  it('reads what a close took from the badge and nobody had seen, once it is open again', () => {
    const unread = given(waiting, servedBy(7), received(1), closed, { type: 'TicketReopened', userId: 7, queueId: 5 })
    unread.when(upTo(1)).then(told(1, 0))
    given(waiting, servedBy(7), received(1), sent(2), closed, { type: 'TicketReopened', userId: 7, queueId: 5 }).when(upTo(1)).nothing()
  })
  it('is refused for a ticket that is not there, or no longer', () => {
    given().when(upTo(1)).refused('ERR_NO_TICKET_FOUND')
    given(waiting, deleted).when(upTo(1)).refused('ERR_NO_TICKET_FOUND')
  })
  it('read all of it in facts that did not say how far', () =>
    expect(given(waiting, servedBy(7), received(1), read).folded()).toMatchObject({ unread: 0 }))
})

describe('what is unread', () => {
  it('is not read by what the system says: a greeting to one who was just accepted', () =>
    expect(given(waiting, received(1), sent(2, by(system))).folded()).toMatchObject({ unread: 1 }))
  it('grows with each message of the contact', () => expect(given(waiting, received(1), received(2)).folded()).toMatchObject({ unread: 2 }))
  it('is read by answering', () => expect(given(waiting, received(1), sent(2)).folded()).toMatchObject({ unread: 0 }))
  it('is not read by a word among us (A-MSG-02)', () =>
    expect(given(waiting, received(1), sent(2, { private: true })).folded()).toMatchObject({ unread: 1 }))
})
