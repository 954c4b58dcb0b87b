import { describe, expect, it } from 'vitest'
import { by, content, given, received, sent, servedBy, user, waiting } from '#tests/support/story.ts'

/* A-TICKET-06: an answer reads what its sender had on screen, and nothing that came behind it. */
const send = (seen: number | null) => ({
  ...{ type: 'Send' as const, messageId: 9, externalId: 'out-9', clientId: 'client-9', ...content },
  ...{ private: false, forwarded: false, seen, anyway: false, admin: false, ...by(user(7)) },
})
const told = (seen: number | null, left?: number) => ({
  ...{ type: 'MessageSent' as const, messageId: 9, externalId: 'out-9', clientId: 'client-9', ...content },
  ...{ private: false, forwarded: false, seen, queueId: 5, ...(left && { left }) },
})
const two = [waiting, received(1), servedBy(7), received(2)] // at the revisions 0 to 3

describe('an answer', () => {
  it('leaves unread what came while it was on its way', () =>
    given(...two)
      .when(send(2))
      .then(told(2, 1)))
  it('reads all where all was seen, or where nobody says what was', () => {
    given(...two)
      .when(send(3))
      .then(told(3))
    given(...two)
      .when(send(null))
      .then(told(null))
  })
  it('reads nothing where another serves: an admin’s word is not its owner’s eyes', () => {
    const bobs = [waiting, received(1), servedBy(8), received(2)]
    given(...bobs)
      .when({ ...send(3), admin: true })
      .then({ ...told(3), reads: false })
    expect(given(...bobs, sent(9, { seen: 3, reads: false })).folded()).toMatchObject({ unread: 2, read: 0 })
  })
  it('is remembered so: the badge keeps it, and seeing it clears it', () => {
    const left = given(...two, sent(9, { seen: 2, left: 1 }))
    expect(left.folded()).toMatchObject({ unread: 1, read: 1 })
    left.when({ type: 'Read', userId: 7, messageId: 2 }).then({ type: 'TicketRead', userId: 7, messageId: 2, left: 0 })
    expect(given(...two, sent(9, { seen: 3 })).folded()).toMatchObject({ unread: 0, read: 2 })
  })
})
