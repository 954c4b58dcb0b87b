import { describe, expect, it } from 'vitest'
import { by, contact, deleted, given, later, opened, received, sent, servedBy, user, waiting } from '#tests/support/story.ts'

const mine = [waiting, servedBy(7), sent(1)]
const edit = { type: 'Edit' as const, messageId: 1, body: 'Boa tarde', admin: false }
const told = { type: 'MessageEdited' as const, messageId: 1, body: 'Boa tarde' }

describe('editing a message (A-MSG-03, A-MSG-04)', () => {
  it('is its sender’s', () =>
    given(...mine)
      .when(edit)
      .then(told))
  it('is an admin’s', () =>
    given(waiting, servedBy(8), sent(1, by(user(8))))
      .when({ ...edit, admin: true })
      .then(told))
  it('is refused to any other (R-MSG-05)', () =>
    given(waiting, servedBy(8), sent(1, by(user(8))))
      .when(edit)
      .refused('ERR_NO_PERMISSION'))
  it('is refused for the contact’s, even to an admin', () =>
    given(waiting, servedBy(7), received(1))
      .when({ ...edit, admin: true })
      .refused('ERR_NO_PERMISSION'))
  it('works until fifteen minutes have passed, and no longer', () => {
    given(...mine)
      .when({ ...edit, at: later(15) })
      .then(told)
    given(...mine)
      .when({ ...edit, at: later(15.001) })
      .refused('ERR_MESSAGE_TOO_OLD')
  })
  it('needs a text, and a message that is text', () => {
    given(...mine)
      .when({ ...edit, body: '  ' })
      .refused('ERR_INVALID_INPUT')
    given(waiting, servedBy(7), sent(1, { kind: 'image' }))
      .when(edit)
      .refused('ERR_INVALID_INPUT')
  })
  it('is refused where the channel has no such thing, but for what only we read', () => {
    for (const channel of ['whatsappapi', 'facebook', 'instagram'] as const) {
      given(opened({ channel } as never), servedBy(7), sent(1))
        .when(edit)
        .refused('ERR_CHANNEL_CANNOT')
      given(opened({ channel } as never), servedBy(7), sent(1, { private: true }))
        .when(edit)
        .then(told)
    }
  })
  it('is refused for one that is removed, or not here', () => {
    given(...mine, { type: 'MessageRemoved', messageId: 1, from: 'us' })
      .when(edit)
      .refused('ERR_FETCH_WAPP_MSG')
    given(waiting).when(edit).refused('ERR_FETCH_WAPP_MSG')
    given(...mine, deleted)
      .when(edit)
      .refused('ERR_NO_TICKET_FOUND')
  })
})

describe('the contact’s own edit', () => {
  const theirs = { type: 'ContactEdits' as const, externalId: 'in-1', body: 'Boa tarde', ...by(contact) }
  it('is told, whenever it comes', () =>
    given(waiting, received(1))
      .when({ ...theirs, at: later(600) })
      .then(told))
  it('that was made before the newest one comes late and changes nothing', () => {
    const newest = { ...told, ...by(contact), at: later(60), occurredAt: later(50) }
    given(waiting, received(1), newest)
      .when({ ...theirs, body: 'Bom dia', at: later(61), occurredAt: later(49) })
      .nothing()
    expect(
      given(waiting, received(1), newest)
        .when({ ...theirs, at: later(61), occurredAt: later(50) })
        .facts(),
    ).toHaveLength(1)
  })
  it('is told after another of its day where both are older than may be believed (A-TIME-01)', () => {
    const day = 24 * 60
    const before = [waiting, received(1), received(2, { at: later(5 * day) })]
    const edit = (occurredAt: string) => ({ ...theirs, at: later(5 * day), occurredAt })
    const [first] = given(...before)
      .when(edit(later(day)))
      .facts()
    expect(first).toMatchObject({ occurredAt: later(4 * day) })
    const second = given(...before, first as typeof told).when(edit(later(2 * day)))
    expect(second.facts()).toHaveLength(1)
  })
  it('is nothing for our messages, for unknown ones and for removed ones', () => {
    given(waiting, servedBy(7), sent(1, { externalId: 'in-1' }))
      .when(theirs)
      .nothing()
    given(waiting).when(theirs).nothing()
    given(waiting, received(1), { type: 'MessageRemoved', messageId: 1, from: 'contact' }).when(theirs).nothing()
    given(waiting, received(1), deleted).when(theirs).nothing()
  })
})
