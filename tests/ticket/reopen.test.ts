import { describe, expect, it } from 'vitest'
import { closed, given, inGroup, servedBy, unqueued, waiting } from '#tests/support/story.ts'

const reopen = { type: 'Reopen' as const, userId: 7, queueId: null as number | null }
const reopened = (userId: number, queueId: number) => ({ type: 'TicketReopened' as const, userId, queueId })

describe('reopening a closed ticket (A-TICKET-11)', () => {
  it('assigns the ticket to the agent who reopens it, in its queue (R-TICKET-14)', () =>
    given(waiting, servedBy(8), closed).when(reopen).then(reopened(7, 5)))
  it('takes the chosen queue', () =>
    given(waiting, servedBy(8), closed)
      .when({ ...reopen, queueId: 6 })
      .then(reopened(7, 6)))
  it('requires a queue if the ticket has none', () => given(unqueued, closed).when(reopen).refused('ERR_QUEUE_REQUIRED'))
  it('gives the status "open", or "group" for a group', () => {
    expect(given(waiting, closed, reopened(7, 5)).folded()).toMatchObject({ status: 'open', userId: 7, queueId: 5 })
    expect(given(inGroup, closed, reopened(7, 5)).folded()).toMatchObject({ status: 'group', userId: 7 })
  })
  it('does nothing the second time', () => given(waiting, closed, reopened(7, 5)).when(reopen).nothing())
  it('is refused for the second of two agents', () => given(waiting, closed, reopened(8, 5)).when(reopen).refused('ERR_OTHER_OPEN_TICKET'))
})
