import { describe, expect, it } from 'vitest'
import { closed, deleted, given, inGroup, later, never, received, sent, servedBy, waiting } from '#tests/support/story.ts'

const close = { type: 'Close' as const, reason: 'agent' as const, farewell: true, mayCloseWaiting: false, tagMissing: false }
const ticketClosed = {
  type: 'TicketClosed' as const,
  reason: 'agent' as const,
  farewell: true,
  waited: false,
  userId: 7,
  successor: null,
  queueId: 5,
}

describe('closing a ticket', () => {
  it('records the owner and whether a farewell is sent (R-TICKET-08)', () => given(waiting, servedBy(7)).when(close).then(ticketClosed))
  it('works without a farewell (R-TICKET-09)', () =>
    given(waiting, servedBy(7))
      .when({ ...close, farewell: false })
      .then({ ...ticketClosed, farewell: false }))
  it('clears the unread count', () => expect(given(waiting, received(1), closed).folded()).toMatchObject({ status: 'closed', unread: 0 }))
  it('does nothing the second time', () => given(waiting, closed).when(close).nothing())
  it('is refused for a deleted ticket', () => given(waiting, deleted).when(close).refused('ERR_NO_TICKET_FOUND'))
})

describe('closing a waiting ticket (A-TICKET-08)', () => {
  it('is refused for a user without the permission', () => given(waiting).when(close).refused('ERR_NO_PERMISSION'))
  it('records that nobody served the ticket (R-TICKET-12, R-TICKET-13)', () =>
    given(waiting)
      .when({ ...close, reason: 'ignored', farewell: false, mayCloseWaiting: true })
      .then({ ...ticketClosed, reason: 'ignored', farewell: false, waited: true, userId: null as never }))
  it('needs no permission once the ticket is served', () => given(waiting, servedBy(7)).when(close).then(ticketClosed))
})

describe('requiring a tag (A-TICKET-09)', () => {
  const missing = { ...close, tagMissing: true, mayCloseWaiting: true }
  it('refuses an agent’s close of a ticket without a tag (R-TICKET-11)', () =>
    given(waiting, servedBy(7)).when(missing).refused('ERR_TAG_REQUIRED'))
  it('does not apply to groups', () => given(inGroup, servedBy(7)).when(missing).then(ticketClosed))
  it('does not apply to ignored tickets and to closing all tickets', () => {
    given(waiting)
      .when({ ...missing, reason: 'ignored' })
      .then({ ...ticketClosed, reason: 'ignored', waited: true, userId: null as never })
    given(waiting, servedBy(7))
      .when({ ...missing, reason: 'closeAll' })
      .then({ ...ticketClosed, reason: 'closeAll' })
  })
})

describe('a ticket that nobody answers (A-EXP-05, R-TICKET-25)', () => {
  const expire = { type: 'ApplyTimeout' as const, policy: { ...never, autoMs: 60 * 60_000 }, at: later(60) }
  it('is closed once the last answer has waited long enough', () =>
    given(waiting, servedBy(7), sent(1))
      .when(expire)
      .then({ ...ticketClosed, reason: 'expired', farewell: false, rule: 'A-EXP-05' }))
  it('is not closed too early', () =>
    given(waiting, servedBy(7), sent(1))
      .when({ ...expire, at: later(59) })
      .nothing())
  it('is never closed while the contact waits for an answer', () => {
    given(waiting, servedBy(7), sent(1), received(2)).when(expire).nothing()
    given(waiting, servedBy(7), received(1)).when(expire).nothing()
  })
  it('does not count an internal message as an answer', () =>
    given(waiting, servedBy(7), received(1), sent(2, { private: true }))
      .when(expire)
      .nothing())
  it('is not closed if it is waiting, closed, deleted or unknown', () => {
    given(waiting, sent(1)).when(expire).nothing()
    given(waiting, servedBy(7), sent(1), closed).when(expire).nothing()
    given(waiting, deleted).when(expire).nothing()
    given().when(expire).nothing()
  })
})
