import { describe, expect, it } from 'vitest'
import { closed, deleted, given, inGroup, servedBy, waiting } from '#tests/support/story.ts'

const mine = { type: 'Return' as const, userId: 7, admin: false }

describe('returning a ticket to the waiting list (A-TICKET-10)', () => {
  it('is allowed for the owner (R-TICKET-07)', () => given(waiting, servedBy(7)).when(mine).then({ type: 'TicketReturned' }))
  it('is allowed for an admin', () =>
    given(waiting, servedBy(8))
      .when({ ...mine, admin: true })
      .then({ type: 'TicketReturned' }))
  it('is refused for any other user', () => given(waiting, servedBy(8)).when(mine).refused('ERR_NO_PERMISSION'))
  it('works for a group ticket too', () => given(inGroup, servedBy(7)).when(mine).then({ type: 'TicketReturned' }))
  it('clears the owner and keeps the queue', () =>
    expect(given(waiting, servedBy(7), { type: 'TicketReturned' }).folded()).toMatchObject({ status: 'pending', userId: null, queueId: 5 }))
  it('does nothing if the ticket is waiting or closed', () => {
    given(waiting).when(mine).nothing()
    given(waiting, servedBy(7), closed).when(mine).nothing()
  })
  it('happens when the owner is retired, and cannot be undone (A-USER-03)', () => {
    const release = { type: 'Release' as const, userId: 7 }
    given(waiting, servedBy(7)).when(release).then({ type: 'TicketReturned', retiredUserId: 7 })
    given(inGroup, servedBy(7)).when(release).then({ type: 'TicketReturned', retiredUserId: 7 })
    given(waiting, servedBy(8)).when(release).nothing()
    given(waiting, servedBy(7), closed).when(release).nothing()
    expect(given(waiting, servedBy(7), { type: 'TicketReturned', retiredUserId: 7 }).folded()).toMatchObject({
      status: 'pending',
      undoableAction: null,
    })
  })
  it('happens when the owner may no longer serve the ticket’s queue (A-USER-03)', () => {
    const release = { type: 'ReleaseFrom' as const, userId: 7, queueId: 5 }
    given(waiting, servedBy(7)).when(release).then({ type: 'TicketReturned' })
    given(waiting, servedBy(8)).when(release).nothing()
    given(waiting, servedBy(7))
      .when({ ...release, queueId: 6 })
      .nothing()
    given(waiting, servedBy(7), closed).when(release).nothing()
  })
  it('is refused for a deleted ticket', () => given(waiting, deleted).when(mine).refused('ERR_NO_TICKET_FOUND'))
})
