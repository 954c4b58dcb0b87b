import { describe, expect, it } from 'vitest'
import { closed, deleted, given, inGroup, later, servedBy, waiting } from '#tests/support/story.ts'

const move = { type: 'Move' as const, queueId: 6, suits: true }

describe('moving a ticket out of a retired queue (A-QUEUE-01)', () => {
  it('keeps the place of a waiting ticket', () => {
    given(waiting).when(move).then({ type: 'TicketQueued', queueId: 6, retiredQueueId: 5 })
    const moved = given(waiting, { type: 'TicketQueued', queueId: 6, at: later(9) }).folded()
    expect(moved).toMatchObject({ queueId: 6, waitingSince: (given(waiting).folded() as { waitingSince: string }).waitingSince })
  })
  it('keeps the agent of a served ticket if the agent serves the new queue', () =>
    given(waiting, servedBy(7))
      .when(move)
      .then({ type: 'TicketTransferred', userId: 7, queueId: 6, fromUserId: 7, fromQueueId: 5, note: null, retiredQueueId: 5 }))
  it('puts a served ticket on the waiting list if its agent does not serve the new queue', () =>
    given(waiting, servedBy(7))
      .when({ ...move, suits: false })
      .then({ type: 'TicketTransferred', userId: null, queueId: 6, fromUserId: 7, fromQueueId: 5, note: null, retiredQueueId: 5 }))
  it('keeps a group without an agent a group', () => {
    given(inGroup).when(move).then({ type: 'TicketQueued', queueId: 6, retiredQueueId: 5 })
    expect(given(inGroup, { type: 'TicketQueued', queueId: 6 }).folded()).toMatchObject({ status: 'group', queueId: 6, waitingSince: null })
  })
  it('ignores closed tickets, and does nothing twice', () => {
    given(waiting, closed).when(move).nothing()
    given(waiting, { type: 'TicketQueued', queueId: 6 }).when(move).nothing()
  })
  it('is refused for a deleted ticket', () => given(waiting, deleted).when(move).refused('ERR_NO_TICKET_FOUND'))
})
