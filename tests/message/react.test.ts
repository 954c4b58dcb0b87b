import { describe, expect, it } from 'vitest'
import { by, closed, contact, deleted, given, inGroup, later, received, sent, servedBy, waiting } from '#tests/support/story.ts'

const react = (emoji: string, to: object = {}) => ({ type: 'React' as const, messageId: 1, emoji, admin: false, ...to })
const reacted = (emoji: string, from: 'us' | 'contact' = 'us') => ({ type: 'MessageReacted' as const, messageId: 1, emoji, from })
const reactionRemoved = (from: 'us' | 'contact' = 'us') => ({ type: 'ReactionRemoved' as const, messageId: 1, from })

const served = [waiting, servedBy(7), received(1)]

describe('reacting to a message (A-MSG-06)', () => {
  it('is recorded', () =>
    given(...served)
      .when(react('👍'))
      .then(reacted('👍')))
  it('replaces the previous emoji of the same side', () =>
    given(...served, reacted('👍'))
      .when(react('❤️'))
      .then(reacted('❤️')))
  it('with the same emoji removes it', () =>
    given(...served, reacted('👍'))
      .when(react('👍'))
      .then(reactionRemoved()))
  it('with the same emoji adds it again after that', () =>
    given(...served, reacted('👍'), reactionRemoved())
      .when(react('👍'))
      .then(reacted('👍')))
  it('does not change the other side’s reaction', () =>
    given(...served, reacted('👍', 'contact'))
      .when(react('👍'))
      .then(reacted('👍')))
  it('is refused for removed, internal and missing messages', () => {
    given(...served, { type: 'MessageRemoved', messageId: 1, from: 'contact' })
      .when(react('👍'))
      .refused('ERR_FETCH_WAPP_MSG')
    given(waiting, servedBy(7), sent(1, { private: true }))
      .when(react('👍'))
      .refused('ERR_FETCH_WAPP_MSG')
    given(waiting).when(react('👍')).refused('ERR_FETCH_WAPP_MSG')
    given(waiting, received(1), deleted).when(react('👍')).refused('ERR_NO_TICKET_FOUND')
  })
})

describe('permission to react', () => {
  it('is given to the owner and admins in an open ticket, and to anyone in a group (A-TICKET-21)', () => {
    given(waiting, servedBy(8), received(1)).when(react('👍')).refused('ERR_NO_PERMISSION')
    given(waiting, servedBy(8), received(1))
      .when(react('👍', { admin: true }))
      .then(reacted('👍'))
    given(inGroup, received(1)).when(react('👍')).then(reacted('👍'))
  })
  it('is denied while the ticket waits or is closed', () => {
    given(waiting, received(1))
      .when(react('👍', { admin: true }))
      .refused('ERR_SENDING_WAPP_MSG')
    given(...served, closed)
      .when(react('👍'))
      .refused('ERR_SENDING_WAPP_MSG')
  })
  it('is required for removing a reaction too', () =>
    given(...served, reacted('👍'), closed)
      .when(react('👍'))
      .refused('ERR_SENDING_WAPP_MSG'))
})

describe('a reaction', () => {
  const family = '👨‍👩‍👧‍👦'
  it.each([
    '👍',
    '👍🏽',
    '❤️',
    '❤',
    '🇧🇷',
    '1️⃣',
    '1⃣',
    '❤‍🔥',
    '🤷‍♂',
    '🙋🏽‍♀',
    '🏃🏿‍♂‍➡',
    '👩🏻‍❤‍💋‍👨🏿',
    '👁‍🗨',
    '🧑🏼‍🦰',
    '🏳‍⚧',
    family,
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '☺️',
    '©️',
  ])('can be %s', (emoji) =>
    given(...served)
      .when(react(emoji))
      .then(reacted(emoji)),
  )
  it.each(['ok', '1', '👍👍', '👍ok', ' 👍', '👍\u0301\u0301', '<b>', '\u200d', '🇧', '\ufe0f', 'é'])('cannot be %j', (text) => {
    given(...served)
      .when(react(text))
      .refused('ERR_INVALID_INPUT', { field: 'type' })
    given(...served)
      .when({ type: 'ContactReacts', externalId: 'in-1', emoji: text, ...by(contact) })
      .nothing()
  })
})

describe('the contact’s reaction', () => {
  const theirs = (emoji: string, externalId = 'out-1') => ({ type: 'ContactReacts' as const, externalId, emoji, ...by(contact) })
  const ours = [waiting, servedBy(7), sent(1)]
  it('is recorded on an agent’s message', () =>
    given(...ours)
      .when(theirs('👍'))
      .then(reacted('👍', 'contact')))
  it('is recorded on their own message', () => given(waiting, received(1)).when(theirs('👍', 'in-1')).then(reacted('👍', 'contact')))
  it('is recorded once if the provider repeats it', () =>
    given(...ours, reacted('👍', 'contact'))
      .when(theirs('👍'))
      .nothing())
  it('is removed once by an empty reaction', () => {
    given(...ours, reacted('👍', 'contact'))
      .when(theirs(''))
      .then(reactionRemoved('contact'))
    given(...ours)
      .when(theirs(''))
      .nothing()
  })
  it('is ignored if it was removed later', () => {
    const since = { ...reactionRemoved('contact'), at: later(3), occurredAt: later(2) }
    const then = given(...ours, { ...reacted('👍', 'contact'), occurredAt: later(1) }, since)
    then.when({ ...theirs('👍'), at: later(4), occurredAt: later(1) }).nothing()
    expect(then.when({ ...theirs('❤️'), at: later(4), occurredAt: later(3) }).facts()).toHaveLength(1)
  })
  it('is ignored for an unknown or removed message', () => {
    given(waiting).when(theirs('👍')).nothing()
    given().when(theirs('👍')).nothing()
    given(...ours, { type: 'MessageRemoved', messageId: 1, from: 'us' })
      .when(theirs('👍'))
      .nothing()
  })
})
