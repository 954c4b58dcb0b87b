import { describe, expect, it } from 'vitest'
import { closed, deleted, given, inGroup, servedBy, waiting } from '#tests/support/story.ts'

const mine = { type: 'Return' as const, userId: 7, admin: false }

describe('returning a ticket to the waiting list (A-TICKET-10)', () => {
  it('is its owner’s to do (R-TICKET-07)', () => given(waiting, servedBy(7)).when(mine).then({ type: 'TicketReturned' }))
  it('is an admin’s to do', () =>
    given(waiting, servedBy(8))
      .when({ ...mine, admin: true })
      .then({ type: 'TicketReturned' }))
  it('is refused to any other', () => given(waiting, servedBy(8)).when(mine).refused('ERR_NO_PERMISSION'))
  it('returns a group ticket too', () => given(inGroup, servedBy(7)).when(mine).then({ type: 'TicketReturned' }))
  it('clears the user and keeps the queue', () =>
    expect(given(waiting, servedBy(7), { type: 'TicketReturned' }).folded()).toMatchObject({ status: 'pending', userId: null, queueId: 5 }))
  it('does nothing where it waits already, or is closed', () => {
    given(waiting).when(mine).nothing()
    given(waiting, servedBy(7), closed).when(mine).nothing()
  })
  it('happens to who is retired, by whoever retires them, and is theirs to take back no more (A-USER-03)', () => {
    const release = { type: 'Release' as const, userId: 7 }
    given(waiting, servedBy(7)).when(release).then({ type: 'TicketReturned', retiredUserId: 7 })
    given(inGroup, servedBy(7)).when(release).then({ type: 'TicketReturned', retiredUserId: 7 })
    given(waiting, servedBy(8)).when(release).nothing()
    given(waiting, servedBy(7), closed).when(release).nothing()
    expect(given(waiting, servedBy(7), { type: 'TicketReturned', retiredUserId: 7 }).folded()).toMatchObject({
      status: 'pending',
      act: null,
    })
  })
  it('happens to who may not serve its queue any more, while it is theirs in that queue (A-USER-03)', () => {
    const release = { type: 'ReleaseFrom' as const, userId: 7, queueId: 5 }
    given(waiting, servedBy(7)).when(release).then({ type: 'TicketReturned' })
    given(waiting, servedBy(8)).when(release).nothing()
    given(waiting, servedBy(7))
      .when({ ...release, queueId: 6 })
      .nothing()
    given(waiting, servedBy(7), closed).when(release).nothing()
  })
  it('is refused for a ticket that is no longer there', () => given(waiting, deleted).when(mine).refused('ERR_NO_TICKET_FOUND'))
})
