import { describe, expect, it } from 'vitest'
import { closed, deleted, given, inGroup, later, never, received, sent, servedBy, waiting } from '#tests/support/story.ts'

const close = { type: 'Close' as const, reason: 'agent' as const, farewell: true, mayCloseWaiting: false, tagMissing: false }
const told = {
  type: 'TicketClosed' as const,
  reason: 'agent' as const,
  farewell: true,
  waited: false,
  userId: 7,
  successor: null,
  queueId: 5,
}

describe('closing a ticket', () => {
  it('tells whose it was and whether a farewell is wanted (R-TICKET-08)', () => given(waiting, servedBy(7)).when(close).then(told))
  it('may go without a farewell (R-TICKET-09)', () =>
    given(waiting, servedBy(7))
      .when({ ...close, farewell: false })
      .then({ ...told, farewell: false }))
  it('empties what was unread and lets nobody answer it', () =>
    expect(given(waiting, received(1), closed).folded()).toMatchObject({ status: 'closed', unread: 0 }))
  it('does nothing the second time', () => given(waiting, closed).when(close).nothing())
  it('is refused for a ticket that is no longer there', () => given(waiting, deleted).when(close).refused('ERR_NO_TICKET_FOUND'))
})

describe('closing one that waits (A-TICKET-08)', () => {
  it('is refused to whom it is not given', () => given(waiting).when(close).refused('ERR_NO_PERMISSION'))
  it('is done by whom it is given, and tells that nobody had served it (R-TICKET-12, R-TICKET-13)', () =>
    given(waiting)
      .when({ ...close, reason: 'ignored', farewell: false, mayCloseWaiting: true })
      .then({ ...told, reason: 'ignored', farewell: false, waited: true, userId: null as never }))
  it('does not ask for the right once it is served', () => given(waiting, servedBy(7)).when(close).then(told))
})

describe('requiring a tag (A-TICKET-09)', () => {
  const missing = { ...close, tagMissing: true, mayCloseWaiting: true }
  it('refuses an agent’s close without one (R-TICKET-11)', () => given(waiting, servedBy(7)).when(missing).refused('ERR_TAG_REQUIRED'))
  it('lets groups go', () => given(inGroup, servedBy(7)).when(missing).then(told))
  it('lets an ignored one go, and close-all', () => {
    given(waiting)
      .when({ ...missing, reason: 'ignored' })
      .then({ ...told, reason: 'ignored', waited: true, userId: null as never })
    given(waiting, servedBy(7))
      .when({ ...missing, reason: 'closeAll' })
      .then({ ...told, reason: 'closeAll' })
  })
})

describe('a ticket that nobody answers (A-EXP-05, R-TICKET-25)', () => {
  const expire = { type: 'Wait' as const, waits: { ...never, autoMs: 60 * 60_000 }, at: later(60) }
  it('closes once our answer has waited long enough', () =>
    given(waiting, servedBy(7), sent(1))
      .when(expire)
      .then({ ...told, reason: 'expired', farewell: false, rule: 'A-EXP-05' }))
  it('does nothing a moment too early', () =>
    given(waiting, servedBy(7), sent(1))
      .when({ ...expire, at: later(59) })
      .nothing())
  it('never closes on a customer who waits for an answer', () => {
    given(waiting, servedBy(7), sent(1), received(2)).when(expire).nothing()
    given(waiting, servedBy(7), received(1)).when(expire).nothing()
  })
  it('does not take what only we read for an answer', () =>
    given(waiting, servedBy(7), received(1), sent(2, { private: true }))
      .when(expire)
      .nothing())
  it('leaves waiting, closed, deleted and unknown ones alone', () => {
    given(waiting, sent(1)).when(expire).nothing()
    given(waiting, servedBy(7), sent(1), closed).when(expire).nothing()
    given(waiting, deleted).when(expire).nothing()
    given().when(expire).nothing()
  })
})
