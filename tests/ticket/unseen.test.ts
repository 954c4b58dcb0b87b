import { describe, expect, it } from 'vitest'
import { by, content, given, received, sent, servedBy, user, waiting } from '#tests/support/story.ts'

/* A-TICKET-06: an answer marks as read what its sender had on screen, and nothing newer. */
const send = (seen: number | null) => ({
  ...{ type: 'Send' as const, messageId: 9, externalId: 'out-9', clientId: 'client-9', ...content },
  ...{ private: false, forwarded: false, seen, anyway: false, admin: false, ...by(user(7)) },
})
const messageSent = (seen: number | null, left?: number) => ({
  ...{ type: 'MessageSent' as const, messageId: 9, externalId: 'out-9', clientId: 'client-9', ...content },
  ...{ private: false, forwarded: false, seen, queueId: 5, ...(left && { left }) },
})
const two = [waiting, received(1), servedBy(7), received(2)] // at the revisions 0 to 3

describe('an answer', () => {
  it('leaves messages unread that arrived while it was being sent', () =>
    given(...two)
      .when(send(2))
      .then(messageSent(2, 1)))
  it('marks all messages as read if the sender saw them all or reports nothing', () => {
    given(...two)
      .when(send(3))
      .then(messageSent(3))
    given(...two)
      .when(send(null))
      .then(messageSent(null))
  })
  it('of an admin marks nothing as read in a ticket of another agent', () => {
    const bobs = [waiting, received(1), servedBy(8), received(2)]
    given(...bobs)
      .when({ ...send(3), admin: true })
      .then({ ...messageSent(3), reads: false })
    expect(given(...bobs, sent(9, { seen: 3, reads: false })).folded()).toMatchObject({ unread: 2, readCount: 0 })
  })
  it('keeps the remaining unread count until those messages are read', () => {
    const left = given(...two, sent(9, { seen: 2, left: 1 }))
    expect(left.folded()).toMatchObject({ unread: 1, readCount: 1 })
    left.when({ type: 'Read', userId: 7, messageId: 2 }).then({ type: 'TicketRead', userId: 7, messageId: 2, left: 0 })
    expect(given(...two, sent(9, { seen: 3 })).folded()).toMatchObject({ unread: 0, readCount: 2 })
  })
})
