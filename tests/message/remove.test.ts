import { describe, it } from 'vitest'
import { by, contact, deleted, given, later, opened, received, sent, servedBy, user, waiting } from '#tests/support/story.ts'

const remove = { type: 'Remove' as const, messageId: 1, admin: false }
const ours = { type: 'MessageRemoved' as const, messageId: 1, from: 'us' as const }
const theirs = { ...ours, from: 'contact' as const }

describe('removing a message (A-MSG-04, R-MSG-05)', () => {
  it('is its sender’s, however old it is', () =>
    given(waiting, servedBy(7), sent(1))
      .when({ ...remove, at: later(100_000) })
      .then(ours))
  it('is an admin’s', () =>
    given(waiting, servedBy(8), sent(1, by(user(8))))
      .when({ ...remove, admin: true })
      .then(ours))
  it('is refused to any other, and for the contact’s', () => {
    given(waiting, servedBy(8), sent(1, by(user(8))))
      .when(remove)
      .refused('ERR_NO_PERMISSION')
    given(waiting, received(1))
      .when({ ...remove, admin: true })
      .refused('ERR_NO_PERMISSION')
  })
  it('does nothing the second time', () => given(waiting, servedBy(7), sent(1), ours).when(remove).nothing())
  it('is refused where the channel has no such thing, but for what never left and what only we read', () => {
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
  it('is refused for one that is not here', () => {
    given(waiting).when(remove).refused('ERR_FETCH_WAPP_MSG')
    given(waiting, sent(1), deleted).when(remove).refused('ERR_NO_TICKET_FOUND')
  })
})

describe('what the contact takes back', () => {
  const takesBack = { type: 'ContactRemoves' as const, externalId: 'in-1', empties: false, ...by(contact) }
  it('is told', () => given(waiting, received(1)).when(takesBack).then(theirs))
  it('says whether its words and file went with it (A-LGPD-03)', () =>
    given(waiting, received(1))
      .when({ ...takesBack, empties: true })
      .then({ ...theirs, emptied: true }))
  it('is told once', () => given(waiting, received(1), theirs).when(takesBack).nothing())
  it('is never ours', () =>
    given(waiting, servedBy(7), sent(1, { externalId: 'in-1' }))
      .when(takesBack)
      .nothing())
  it('is nothing where it is unknown', () => {
    given(waiting).when(takesBack).nothing()
    given().when(takesBack).nothing()
  })
})
