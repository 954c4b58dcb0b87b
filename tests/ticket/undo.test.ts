import { describe, expect, it } from 'vitest'
import {
  by,
  closed,
  deleted,
  type Fact,
  given,
  later,
  opened,
  received,
  sent,
  servedBy,
  system,
  user,
  waiting,
} from '#tests/support/story.ts'

const undo = { type: 'Undo' as const, seen: null as number | null }
const served = {
  status: 'open' as const,
  userId: 7 as number | null,
  queueId: 5,
  unread: 0,
  waitingSince: null as string | null,
  transferred: false,
}
const transferred: Fact = { type: 'TicketTransferred', userId: 9, queueId: 6, fromUserId: 7, fromQueueId: 5, note: null }
const returned: Fact = { type: 'TicketReturned' }

describe('undoing (A-TICKET-07)', () => {
  it('a close restores the agent, the queue, the status and the unread count', () =>
    given(waiting, servedBy(7), received(1), closed)
      .when(undo)
      .then({ type: 'ActionUndone', actionRevision: 3, what: 'closed', ...served, unread: 1 }))
  it('a close of a waiting ticket restores its place on the waiting list', () =>
    given(opened({}), { ...closed, at: later(5) })
      .when(undo)
      .then({
        type: 'ActionUndone',
        actionRevision: 1,
        what: 'closed',
        ...served,
        status: 'pending',
        userId: null,
        waitingSince: later(0),
      }))
  it('a return or a transfer takes the ticket back from its new owner', () => {
    given(waiting, servedBy(7), returned)
      .when(undo)
      .then({ type: 'ActionUndone', actionRevision: 2, what: 'returned', ...served })
    given(waiting, servedBy(7), transferred)
      .when(undo)
      .then({ type: 'ActionUndone', actionRevision: 2, what: 'transferred', ...served })
  })
  it('keeps messages read that the receiver has read meanwhile', () => {
    const read: Fact = { type: 'TicketRead', userId: 9, messageId: 1, left: 1, ...by(user(9)) }
    const undone = { type: 'ActionUndone' as const, actionRevision: 4, what: 'transferred' as const, ...served, unread: 1 }
    const given1 = [waiting, servedBy(7), received(1), received(2), transferred, read]
    given(...given1)
      .when(undo)
      .then(undone)
    given(...given1, undone)
      .when({ type: 'Read', userId: 7, messageId: 2 })
      .then({ type: 'TicketRead', userId: 7, messageId: 2, left: 0 })
  })
  it('is not prevented by an access or by an unrelated system message', () =>
    given(waiting, servedBy(7), transferred, { type: 'TicketAccessed', userId: 9 }, sent(1, by(system)))
      .when(undo)
      .then({ type: 'ActionUndone', actionRevision: 2, what: 'transferred', ...served }))
  it.each<[string, Fact[]]>([
    ['somebody else has accepted it', [returned, servedBy(8)]],
    ['somebody else has answered', [transferred, sent(1, by(user(9)))]],
    ['the contact has written', [transferred, received(1)]],
    ['its message was sent', [closed, { ...sent(1, by(system)), actionRevision: 2 } as Fact]],
    ['it was undone already', [closed, { type: 'ActionUndone', actionRevision: 2, what: 'closed', ...served }]],
    ['there was nothing', []],
  ])('is refused when %s', (_, facts) =>
    given(waiting, servedBy(7), ...facts)
      .when(undo)
      .refused('ERR_UNDO_GONE'),
  )
  it('is refused for other users, and for an action newer than the one they saw', () => {
    given(waiting, servedBy(7), closed)
      .when({ ...undo, ...by(user(8)) })
      .refused('ERR_UNDO_GONE')
    given(waiting, servedBy(7), closed)
      .when({ ...undo, seen: 1 })
      .refused('ERR_UNDO_GONE')
    given(waiting, deleted).when(undo).refused('ERR_NO_TICKET_FOUND')
  })
  it('cancels the message that the action would have sent to the contact', () => {
    const content = { kind: 'chat' as const, body: 'Obrigado!', media: null, vCard: null, quotedId: null }
    const farewell = { type: 'Send' as const, messageId: 9, externalId: 'x', clientId: 'c', ...content, ...by(system), actionRevision: 2 }
    const rest = { private: false, forwarded: false, seen: null, anyway: true, admin: false }
    given(waiting, servedBy(7), closed, { type: 'ActionUndone', actionRevision: 2, what: 'closed', ...served })
      .when({ ...farewell, ...rest })
      .nothing()
  })
  it('restores the state before the action', () =>
    expect(
      given(waiting, servedBy(7), received(1), closed, {
        type: 'ActionUndone',
        actionRevision: 3,
        what: 'closed',
        ...served,
        unread: 1,
      }).folded(),
    ).toMatchObject({
      ...served,
      unread: 1,
      undoableAction: null,
    }))
})

describe('withdrawing the successor of a transfer (A-TRANSFER-02)', () => {
  const goesOn = opened({ predecessorId: 16, transfer: { userId: 9, fromUserId: 7, fromQueueId: 5 }, note: null } as never)
  const given9: Fact = { type: 'TicketAccepted', userId: 9, queueId: 5, waited: false }
  const back = { ticketId: 16, command: 'c' }
  const withdraw = { type: 'Withdraw' as const, back }
  it('deletes the ticket, and does nothing the second time', () => {
    given(goesOn, given9).when(withdraw).then({ type: 'TicketDeleted', back })
    given(goesOn, given9, deleted).when(withdraw).nothing()
  })
  it('is refused for other users, and once the receiver or the contact has acted', () => {
    for (const more of [received(1), sent(1, by(user(9)))]) given(goesOn, given9, more).when(withdraw).refused('ERR_UNDO_GONE')
    given(goesOn, given9)
      .when({ ...withdraw, ...by(user(8)) })
      .refused('ERR_UNDO_GONE')
    given(waiting).when(withdraw).refused('ERR_UNDO_GONE')
  })
})
