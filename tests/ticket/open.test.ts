import { describe, it } from 'vitest'
import { closed, deleted, given, opened, opening, servedBy, waiting } from '#tests/support/story.ts'

const open = { type: 'Open' as const, userId: null as number | null, ...opening }
const fact = { type: 'TicketOpened' as const, ...opening }

describe('opening a ticket', () => {
  it('lets it wait where nobody is named', () => given().when(open).then(fact))
  it('hands it at once to the agent who opened it, who did not wait for it', () =>
    given()
      .when({ ...open, userId: 7 })
      .then(fact, { type: 'TicketAccepted', userId: 7, queueId: 5, waited: false }))
  it('needs a queue to be served in', () =>
    given()
      .when({ ...open, userId: 7, queueId: null })
      .refused('ERR_QUEUE_REQUIRED'))
  it('may wait without a queue', () =>
    given()
      .when({ ...open, queueId: null })
      .then({ ...fact, queueId: null }))
  it('remembers the ticket it goes on from (A-TRANSFER-02)', () =>
    given()
      .when({ ...open, follows: 16 })
      .then({ ...fact, follows: 16 }))
  it('does nothing the second time', () => given(waiting).when(open).nothing())
  it('does nothing to one that is served, closed or deleted', () => {
    given(waiting, servedBy(8)).when(open).nothing()
    given(waiting, closed).when(open).nothing()
    given(waiting, deleted).when(open).nothing()
  })
})

describe('queueing a waiting ticket', () => {
  it('moves it', () => given(waiting).when({ type: 'Queue', queueId: 6 }).then({ type: 'TicketQueued', queueId: 6 }))
  it('does nothing where it stands there already', () => given(waiting).when({ type: 'Queue', queueId: 5 }).nothing())
  it('does nothing to one that is served', () => given(waiting, servedBy(8)).when({ type: 'Queue', queueId: 6 }).nothing())
  it('is refused for a ticket that is not there', () => given().when({ type: 'Queue', queueId: 6 }).refused('ERR_NO_TICKET_FOUND'))
  it('is refused for a ticket that was deleted', () =>
    given(opened(), deleted).when({ type: 'Queue', queueId: 6 }).refused('ERR_NO_TICKET_FOUND'))
})
