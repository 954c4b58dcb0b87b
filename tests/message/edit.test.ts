import { describe, expect, it } from 'vitest'
import { by, contact, deleted, given, later, opened, received, sent, servedBy, user, waiting } from '#tests/support/story.ts'

const mine = [waiting, servedBy(7), sent(1)]
const edit = { type: 'Edit' as const, messageId: 1, body: 'Boa tarde', admin: false }
const messageEdited = { type: 'MessageEdited' as const, messageId: 1, body: 'Boa tarde' }

describe('editing a message (A-MSG-03, A-MSG-04)', () => {
  it('is allowed for the sender', () =>
    given(...mine)
      .when(edit)
      .then(messageEdited))
  it('is allowed for an admin', () =>
    given(waiting, servedBy(8), sent(1, by(user(8))))
      .when({ ...edit, admin: true })
      .then(messageEdited))
  it('is refused for any other user (R-MSG-05)', () =>
    given(waiting, servedBy(8), sent(1, by(user(8))))
      .when(edit)
      .refused('ERR_NO_PERMISSION'))
  it('is refused for a contact’s message, even for an admin', () =>
    given(waiting, servedBy(7), received(1))
      .when({ ...edit, admin: true })
      .refused('ERR_NO_PERMISSION'))
  it('works for fifteen minutes', () => {
    given(...mine)
      .when({ ...edit, at: later(15) })
      .then(messageEdited)
    given(...mine)
      .when({ ...edit, at: later(15.001) })
      .refused('ERR_MESSAGE_TOO_OLD')
  })
  it('requires a text, and a text message', () => {
    given(...mine)
      .when({ ...edit, body: '  ' })
      .refused('ERR_INVALID_INPUT')
    given(waiting, servedBy(7), sent(1, { kind: 'image' }))
      .when(edit)
      .refused('ERR_INVALID_INPUT')
  })
  it('is refused on channels without editing, except for internal messages', () => {
    for (const channel of ['whatsappapi', 'facebook', 'instagram'] as const) {
      given(opened({ channel } as never), servedBy(7), sent(1))
        .when(edit)
        .refused('ERR_CHANNEL_CANNOT')
      given(opened({ channel } as never), servedBy(7), sent(1, { private: true }))
        .when(edit)
        .then(messageEdited)
    }
  })
  it('is refused for a removed or missing message', () => {
    given(...mine, { type: 'MessageRemoved', messageId: 1, from: 'us' })
      .when(edit)
      .refused('ERR_FETCH_WAPP_MSG')
    given(waiting).when(edit).refused('ERR_FETCH_WAPP_MSG')
    given(...mine, deleted)
      .when(edit)
      .refused('ERR_NO_TICKET_FOUND')
  })
})

describe('an edit by the contact', () => {
  const theirs = { type: 'ContactEdits' as const, externalId: 'in-1', body: 'Boa tarde', ...by(contact) }
  it('is recorded at any time', () =>
    given(waiting, received(1))
      .when({ ...theirs, at: later(600) })
      .then(messageEdited))
  it('is ignored if it is older than the newest edit', () => {
    const newest = { ...messageEdited, ...by(contact), at: later(60), occurredAt: later(50) }
    given(waiting, received(1), newest)
      .when({ ...theirs, body: 'Bom dia', at: later(61), occurredAt: later(49) })
      .nothing()
    expect(
      given(waiting, received(1), newest)
        .when({ ...theirs, at: later(61), occurredAt: later(50) })
        .facts(),
    ).toHaveLength(1)
  })
  it('is recorded after another edit of the same day if both times are limited (A-TIME-01)', () => {
    const day = 24 * 60
    const before = [waiting, received(1), received(2, { at: later(5 * day) })]
    const edit = (occurredAt: string) => ({ ...theirs, at: later(5 * day), occurredAt })
    const [first] = given(...before)
      .when(edit(later(day)))
      .facts()
    expect(first).toMatchObject({ occurredAt: later(4 * day) })
    const second = given(...before, first as typeof messageEdited).when(edit(later(2 * day)))
    expect(second.facts()).toHaveLength(1)
  })
  it('is ignored for agents’ messages and for unknown or removed messages', () => {
    given(waiting, servedBy(7), sent(1, { externalId: 'in-1' }))
      .when(theirs)
      .nothing()
    given(waiting).when(theirs).nothing()
    given(waiting, received(1), { type: 'MessageRemoved', messageId: 1, from: 'contact' }).when(theirs).nothing()
    given(waiting, received(1), deleted).when(theirs).nothing()
  })
})
