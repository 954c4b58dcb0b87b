import { describe, expect, it } from 'vitest'
import { deleted, given, inGroup, later, noon, received, sent, servedBy, waiting } from '#tests/kit/story.ts'

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
  it('reads what waits for its owner', () => given(waiting, servedBy(7), received(1)).when(access).then(seen, read))
  it('reads nothing for one who only looks', () => given(waiting, servedBy(8), received(1)).when(access).then(seen))
  it('reads a group for anybody', () => given(inGroup, servedBy(8), received(1)).when(access).then(seen, read))
  it('does not read twice', () => given(waiting, servedBy(7), received(1), seen, read).when(access).nothing())
  it('reads again what came since', () =>
    given(waiting, servedBy(7), received(1), seen, read, received(2))
      .when({ ...access, at: noon })
      .then(read))
  it('is refused for a ticket that is not there, or no longer', () => {
    given().when(access).refused('ERR_NO_TICKET_FOUND')
    given(waiting, deleted).when(access).refused('ERR_NO_TICKET_FOUND')
  })
})

describe('what is unread', () => {
  it('grows with each message of the contact', () => expect(given(waiting, received(1), received(2)).folded()).toMatchObject({ unread: 2 }))
  it('is read by answering', () => expect(given(waiting, received(1), sent(2)).folded()).toMatchObject({ unread: 0 }))
  it('is not read by a word among us (A-MSG-02)', () =>
    expect(given(waiting, received(1), sent(2, { private: true })).folded()).toMatchObject({ unread: 1 }))
})
