import { describe, expect, it } from 'vitest'
import { closed, deleted, given, inGroup, servedBy, unqueued, waiting } from '#tests/support/story.ts'

const accept = { type: 'Accept' as const, userId: 7, queueId: null as number | null }

describe('accepting a ticket', () => {
  it('assigns the ticket to the agent and records that it waited (R-TICKET-02)', () =>
    given(waiting).when(accept).then({ type: 'TicketAccepted', userId: 7, queueId: 5, waited: true }))
  it('keeps the ticket’s own queue, whichever queue the agent chose', () =>
    given(waiting)
      .when({ ...accept, queueId: 6 })
      .then({ type: 'TicketAccepted', userId: 7, queueId: 5, waited: true }))
  it('takes the chosen queue if the ticket has none (R-TICKET-03)', () =>
    given(unqueued)
      .when({ ...accept, queueId: 6 })
      .then({ type: 'TicketAccepted', userId: 7, queueId: 6, waited: true }))
  it('requires a queue if the ticket has none (R-TICKET-03)', () => given(unqueued).when(accept).refused('ERR_QUEUE_REQUIRED'))
  it('is refused while another agent serves the ticket (A-TICKET-04)', () =>
    given(waiting, servedBy(8)).when(accept).refused('ERR_OTHER_OPEN_TICKET'))
  it('does nothing the second time', () => given(waiting, servedBy(7)).when(accept).nothing())
  it('records no waiting for a group ticket, because groups never wait (A-BOT-01)', () =>
    given(inGroup).when(accept).then({ type: 'TicketAccepted', userId: 7, queueId: 5, waited: false }))
  it('gives a group ticket the status "group" (R-TICKET-04)', () =>
    expect(given(inGroup, servedBy(7)).folded()).toMatchObject({ status: 'group', userId: 7 }))
  it('gives any other ticket the status "open"', () =>
    expect(given(waiting, servedBy(7)).folded()).toMatchObject({ status: 'open', userId: 7 }))
  it('is refused for a missing or deleted ticket', () => {
    given().when(accept).refused('ERR_NO_TICKET_FOUND')
    given(waiting, deleted).when(accept).refused('ERR_NO_TICKET_FOUND')
  })
  it('does not reopen a closed ticket', () => given(waiting, servedBy(7), closed).when(accept).refused('ERR_TICKET_NOT_OPEN'))
})
