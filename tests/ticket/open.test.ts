import { describe, it } from 'vitest'
import { closed, deleted, given, opened, opening, servedBy, waiting } from '#tests/support/story.ts'

const open = { type: 'Open' as const, userId: null as number | null, ...opening }
const fact = { type: 'TicketOpened' as const, ...opening }

describe('opening a ticket', () => {
  it('puts the ticket on the waiting list if no agent is named', () => given().when(open).then(fact))
  it('assigns the ticket at once to the agent who opened it, without waiting', () =>
    given()
      .when({ ...open, userId: 7 })
      .then(fact, { type: 'TicketAccepted', userId: 7, queueId: 5, waited: false }))
  it('requires a queue if an agent is named', () =>
    given()
      .when({ ...open, userId: 7, queueId: null })
      .refused('ERR_QUEUE_REQUIRED'))
  it('allows a waiting ticket without a queue', () =>
    given()
      .when({ ...open, queueId: null })
      .then({ ...fact, queueId: null }))
  it('records the predecessor of the ticket (A-TRANSFER-02)', () =>
    given()
      .when({ ...open, predecessorId: 16 })
      .then({ ...fact, predecessorId: 16 }))
  it('does nothing the second time', () => given(waiting).when(open).nothing())
  it('does nothing to a served, closed or deleted ticket', () => {
    given(waiting, servedBy(8)).when(open).nothing()
    given(waiting, closed).when(open).nothing()
    given(waiting, deleted).when(open).nothing()
  })
})

describe('queueing a waiting ticket', () => {
  it('moves the ticket to the queue', () => given(waiting).when({ type: 'Queue', queueId: 6 }).then({ type: 'TicketQueued', queueId: 6 }))
  it('does nothing if the ticket is already in the queue', () => given(waiting).when({ type: 'Queue', queueId: 5 }).nothing())
  it('does nothing to a served ticket', () => given(waiting, servedBy(8)).when({ type: 'Queue', queueId: 6 }).nothing())
  it('is refused for a missing ticket', () => given().when({ type: 'Queue', queueId: 6 }).refused('ERR_NO_TICKET_FOUND'))
  it('is refused for a deleted ticket', () => given(opened(), deleted).when({ type: 'Queue', queueId: 6 }).refused('ERR_NO_TICKET_FOUND'))
})
