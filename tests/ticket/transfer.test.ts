import { describe, expect, it } from 'vitest'
import { closed, deleted, given, inGroup, opening, servedBy, waiting } from '#tests/support/story.ts'

const transfer = {
  type: 'Transfer' as const,
  userId: 9 as number | null,
  queueId: 6,
  suits: true,
  successor: null,
  note: null as string | null,
}
const ticketTransferred = {
  type: 'TicketTransferred' as const,
  userId: 9 as number | null,
  queueId: 6,
  fromUserId: 7 as number | null,
  fromQueueId: 5 as number | null,
  note: null as string | null,
}
const successor = { ticketId: 18, uuid: '5c1a4a52-8e33-4f0e-b6f5-0c8e40b1a9d2' }

describe('transferring a ticket', () => {
  it('records both users and both queues (R-TICKET-15)', () => given(waiting, servedBy(7)).when(transfer).then(ticketTransferred))
  it('keeps the note internal (A-TRANSFER-01)', () =>
    given(waiting, servedBy(7))
      .when({ ...transfer, note: 'Quer o boleto' })
      .then({ ...ticketTransferred, note: 'Quer o boleto' }))
  it('works on a waiting ticket', () =>
    given(waiting)
      .when(transfer)
      .then({ ...ticketTransferred, fromUserId: null }))
  it('to a user gives the status "open", or "group" for a group (R-TICKET-16)', () => {
    expect(given(waiting, servedBy(7), ticketTransferred).folded()).toMatchObject({ status: 'open', userId: 9, queueId: 6 })
    expect(given(inGroup, servedBy(7), ticketTransferred).folded()).toMatchObject({ status: 'group', userId: 9, queueId: 6 })
  })
  it('to a queue puts the ticket on the waiting list, a group too (R-TICKET-16, A-TRANSFER-03)', () => {
    const toQueue = { ...ticketTransferred, userId: null }
    expect(given(waiting, servedBy(7), toQueue).folded()).toMatchObject({ status: 'pending', userId: null, queueId: 6 })
    expect(given(inGroup, servedBy(7), toQueue).folded()).toMatchObject({ status: 'pending', userId: null, group: true })
  })
  it('is refused if the user does not serve the queue (A-TRANSFER-05)', () =>
    given(waiting, servedBy(7))
      .when({ ...transfer, suits: false })
      .refused('ERR_NO_PERMISSION/queue'))
  it('does nothing if user and queue do not change (A-TRANSFER-04)', () =>
    given(waiting, servedBy(7))
      .when({ ...transfer, userId: 7, queueId: 5 })
      .nothing())
  it('does nothing the second time', () => given(waiting, servedBy(7), ticketTransferred).when(transfer).nothing())
  it('is refused for a closed or deleted ticket', () => {
    given(waiting, servedBy(7), closed).when(transfer).refused('ERR_TICKET_NOT_OPEN')
    given(waiting, deleted).when(transfer).refused('ERR_NO_TICKET_FOUND')
  })
})

describe('transferring with a successor (A-TRANSFER-02)', () => {
  const closing = {
    ...{ type: 'TicketClosed' as const, reason: 'transfer' as const, farewell: false, waited: false, userId: 7 },
    successor: { ...successor, userId: 9, queueId: 6 },
    ...{ queueId: 5, note: null as string | null },
  }
  it('closes this ticket without a farewell and names the successor', () =>
    given(waiting, servedBy(7))
      .when({ ...transfer, successor })
      .then(closing))
  it('carries the note to the successor', () => {
    const note = 'Quer o boleto'
    given(waiting, servedBy(7))
      .when({ ...transfer, successor, note })
      .then({ ...closing, note })
    const from = { userId: 9, fromUserId: 7, fromQueueId: 5 }
    const goingOn = { ...opening, ...successor, queueId: 6, predecessorId: 17, transfer: from, note }
    given()
      .when({ type: 'Open', ...goingOn, userId: 9 })
      .then({ type: 'TicketOpened', ...goingOn }, { type: 'TicketAccepted', userId: 9, queueId: 6, waited: false })
  })
  it('puts a group without a user on the waiting list (A-TRANSFER-03)', () => {
    const goingOn = { ...opening, ...successor, group: true, queueId: 6, predecessorId: 17 }
    const returned = { type: 'TicketReturned' as const, rule: 'A-TRANSFER-03' }
    given()
      .when({ type: 'Open', ...goingOn, userId: null })
      .then({ type: 'TicketOpened', ...goingOn }, returned)
    expect(given({ type: 'TicketOpened', ...goingOn }, returned).folded()).toMatchObject({ status: 'pending', userId: null })
  })
  it('is refused if the user does not serve the queue', () =>
    given(waiting, servedBy(7))
      .when({ ...transfer, successor, suits: false })
      .refused('ERR_NO_PERMISSION/queue'))
  it('is refused the second time, so that there is only one successor', () =>
    given(waiting, servedBy(7), closing)
      .when({ ...transfer, successor: { ...successor, ticketId: 19 } })
      .refused('ERR_TICKET_NOT_OPEN'))
})
