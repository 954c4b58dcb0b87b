import { describe, expect, it } from 'vitest'
import { closed, given, inGroup, servedBy, unqueued, waiting } from '#tests/support/story.ts'

const reopen = { type: 'Reopen' as const, userId: 7, queueId: null as number | null }
const reopened = (userId: number, queueId: number) => ({ type: 'TicketReopened' as const, userId, queueId })

describe('reopening a closed ticket (A-TICKET-11)', () => {
  it('hands it to whoever reopens it, in its queue (R-TICKET-14)', () =>
    given(waiting, servedBy(8), closed).when(reopen).then(reopened(7, 5)))
  it('takes the queue that was chosen', () =>
    given(waiting, servedBy(8), closed)
      .when({ ...reopen, queueId: 6 })
      .then(reopened(7, 6)))
  it('needs a queue where it has none', () => given(unqueued, closed).when(reopen).refused('ERR_QUEUE_REQUIRED'))
  it('is open afterwards, and a group is a group', () => {
    expect(given(waiting, closed, reopened(7, 5)).folded()).toMatchObject({ status: 'open', userId: 7, queueId: 5 })
    expect(given(inGroup, closed, reopened(7, 5)).folded()).toMatchObject({ status: 'group', userId: 7 })
  })
  it('does nothing the second time', () => given(waiting, closed, reopened(7, 5)).when(reopen).nothing())
  it('leaves it to the first of two', () => given(waiting, closed, reopened(8, 5)).when(reopen).refused('ERR_OTHER_OPEN_TICKET'))
})
