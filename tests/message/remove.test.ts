import { describe, it } from 'vitest'
import { by, contact, deleted, given, later, opened, received, sent, servedBy, user, waiting } from '#tests/support/story.ts'

const remove = { type: 'Remove' as const, messageId: 1, admin: false }
const ours = { type: 'MessageRemoved' as const, messageId: 1, from: 'us' as const }
const theirs = { ...ours, from: 'contact' as const }

describe('removing a message (A-MSG-04, R-MSG-05)', () => {
  it('is allowed for the sender at any time', () =>
    given(waiting, servedBy(7), sent(1))
      .when({ ...remove, at: later(100_000) })
      .then(ours))
  it('is allowed for an admin', () =>
    given(waiting, servedBy(8), sent(1, by(user(8))))
      .when({ ...remove, admin: true })
      .then(ours))
  it('is refused for any other user, and for the contact’s messages', () => {
    given(waiting, servedBy(8), sent(1, by(user(8))))
      .when(remove)
      .refused('ERR_NO_PERMISSION')
    given(waiting, received(1))
      .when({ ...remove, admin: true })
      .refused('ERR_NO_PERMISSION')
  })
  it('does nothing the second time', () => given(waiting, servedBy(7), sent(1), ours).when(remove).nothing())
  it('is refused on channels without removal, except for failed and internal messages', () => {
    const facts = [opened({ channel: 'facebook' } as never), servedBy(7)]
    given(...facts, sent(1))
      .when(remove)
      .refused('ERR_CHANNEL_CANNOT')
    given(...facts, sent(1), { type: 'MessageFailed', messageId: 1, code: 'ERR_WINDOW_CLOSED' })
      .when(remove)
      .then(ours)
    given(...facts, sent(1, { private: true }))
      .when(remove)
      .then(ours)
  })
  it('is refused for a missing message', () => {
    given(waiting).when(remove).refused('ERR_FETCH_WAPP_MSG')
    given(waiting, sent(1), deleted).when(remove).refused('ERR_NO_TICKET_FOUND')
  })
})

describe('a removal by the contact', () => {
  const takesBack = { type: 'ContactRemoves' as const, externalId: 'in-1', empties: false, ...by(contact) }
  it('is recorded', () => given(waiting, received(1)).when(takesBack).then(theirs))
  it('records whether text and file were removed too (A-LGPD-03)', () =>
    given(waiting, received(1))
      .when({ ...takesBack, empties: true })
      .then({ ...theirs, emptied: true }))
  it('is recorded once', () => given(waiting, received(1), theirs).when(takesBack).nothing())
  it('is ignored for agents’ messages', () =>
    given(waiting, servedBy(7), sent(1, { externalId: 'in-1' }))
      .when(takesBack)
      .nothing())
  it('is ignored for an unknown message', () => {
    given(waiting).when(takesBack).nothing()
    given().when(takesBack).nothing()
  })
})
