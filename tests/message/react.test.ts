import { describe, expect, it } from 'vitest'
import { by, closed, contact, deleted, given, inGroup, later, received, sent, servedBy, waiting } from '#tests/support/story.ts'

const react = (emoji: string, to: object = {}) => ({ type: 'React' as const, messageId: 1, emoji, admin: false, ...to })
const reacted = (emoji: string, from: 'us' | 'contact' = 'us') => ({ type: 'MessageReacted' as const, messageId: 1, emoji, from })
const tookBack = (from: 'us' | 'contact' = 'us') => ({ type: 'ReactionRemoved' as const, messageId: 1, from })

const served = [waiting, servedBy(7), received(1)]

describe('reacting to a message (A-MSG-06)', () => {
  it('is told', () =>
    given(...served)
      .when(react('👍'))
      .then(reacted('👍')))
  it('is one a side: another emoji takes its place', () =>
    given(...served, reacted('👍'))
      .when(react('❤️'))
      .then(reacted('❤️')))
  it('takes the same emoji back', () =>
    given(...served, reacted('👍'))
      .when(react('👍'))
      .then(tookBack()))
  it('gives it again after that', () =>
    given(...served, reacted('👍'), tookBack())
      .when(react('👍'))
      .then(reacted('👍')))
  it('leaves the other side’s alone', () =>
    given(...served, reacted('👍', 'contact'))
      .when(react('👍'))
      .then(reacted('👍')))
  it('is refused for what is removed, what only we read, and what is not here', () => {
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

describe('who may react', () => {
  it('is who may send: the owner or an admin of an open ticket, anyone in a group (A-TICKET-21)', () => {
    given(waiting, servedBy(8), received(1)).when(react('👍')).refused('ERR_NO_PERMISSION')
    given(waiting, servedBy(8), received(1))
      .when(react('👍', { admin: true }))
      .then(reacted('👍'))
    given(inGroup, received(1)).when(react('👍')).then(reacted('👍'))
  })
  it('is nobody while the ticket waits or is closed', () => {
    given(waiting, received(1))
      .when(react('👍', { admin: true }))
      .refused('ERR_SENDING_WAPP_MSG')
    given(...served, closed)
      .when(react('👍'))
      .refused('ERR_SENDING_WAPP_MSG')
  })
  it('takes back only what they may give', () =>
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
  ])('may be %s', (emoji) =>
    given(...served)
      .when(react(emoji))
      .then(reacted(emoji)),
  )
  it.each(['ok', '1', '👍👍', '👍ok', ' 👍', '👍\u0301\u0301', '<b>', '\u200d', '🇧', '\ufe0f', 'é'])('is not %j', (text) => {
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
  it('is told of our message', () =>
    given(...ours)
      .when(theirs('👍'))
      .then(reacted('👍', 'contact')))
  it('is told of their own', () => given(waiting, received(1)).when(theirs('👍', 'in-1')).then(reacted('👍', 'contact')))
  it('is told once, since a provider may repeat itself', () =>
    given(...ours, reacted('👍', 'contact'))
      .when(theirs('👍'))
      .nothing())
  it('is taken back by an empty one, once', () => {
    given(...ours, reacted('👍', 'contact'))
      .when(theirs(''))
      .then(tookBack('contact'))
    given(...ours)
      .when(theirs(''))
      .nothing()
  })
  it('that was taken back since comes late where it is told again, and is nothing', () => {
    const since = { ...tookBack('contact'), at: later(3), occurredAt: later(2) }
    const then = given(...ours, { ...reacted('👍', 'contact'), occurredAt: later(1) }, since)
    then.when({ ...theirs('👍'), at: later(4), occurredAt: later(1) }).nothing()
    expect(then.when({ ...theirs('❤️'), at: later(4), occurredAt: later(3) }).facts()).toHaveLength(1)
  })
  it('is nothing where the message is unknown or removed', () => {
    given(waiting).when(theirs('👍')).nothing()
    given().when(theirs('👍')).nothing()
    given(...ours, { type: 'MessageRemoved', messageId: 1, from: 'us' })
      .when(theirs('👍'))
      .nothing()
  })
})
