import { describe, expect, it } from 'vitest'
import { closed, deleted, given, inGroup, later, servedBy, waiting } from '#tests/support/story.ts'

const move = { type: 'Move' as const, queueId: 6, suits: true }

describe('moving a ticket out of a queue that is retired (A-QUEUE-01)', () => {
  it('queues one that waits, and leaves it its place among those that wait', () => {
    given(waiting).when(move).then({ type: 'TicketQueued', queueId: 6, retiredQueueId: 5 })
    const moved = given(waiting, { type: 'TicketQueued', queueId: 6, at: later(9) }).folded()
    expect(moved).toMatchObject({ queueId: 6, waitingSince: (given(waiting).folded() as { waitingSince: string }).waitingSince })
  })
  it('leaves one that is served with whoever serves it, where they serve the new queue too', () =>
    given(waiting, servedBy(7))
      .when(move)
      .then({ type: 'TicketTransferred', userId: 7, queueId: 6, fromUserId: 7, fromQueueId: 5, retiredQueueId: 5 }))
  it('lets one wait in the new queue whose agent does not serve that', () =>
    given(waiting, servedBy(7))
      .when({ ...move, suits: false })
      .then({ type: 'TicketTransferred', userId: null, queueId: 6, fromUserId: 7, fromQueueId: 5, retiredQueueId: 5 }))
  it('of a group that nobody serves makes none that waits', () => {
    given(inGroup).when(move).then({ type: 'TicketQueued', queueId: 6, retiredQueueId: 5 })
    expect(given(inGroup, { type: 'TicketQueued', queueId: 6 }).folded()).toMatchObject({ status: 'group', queueId: 6, waitingSince: null })
  })
  it('leaves what is closed where it was closed, and does nothing twice', () => {
    given(waiting, closed).when(move).nothing()
    given(waiting, { type: 'TicketQueued', queueId: 6 }).when(move).nothing()
  })
  it('is refused for a ticket that is not there', () => given(waiting, deleted).when(move).refused('ERR_NO_TICKET_FOUND'))
})
