import { describe, it } from 'vitest'
import { by, contact, deleted, given, received, sent, servedBy, waiting } from '#tests/kit/story.ts'

const react = (emoji: string) => ({ type: 'React' as const, messageId: 1, emoji })
const reacted = (emoji: string, from: 'us' | 'contact' = 'us') => ({ type: 'MessageReacted' as const, messageId: 1, emoji, from })
const tookBack = (from: 'us' | 'contact' = 'us') => ({ type: 'ReactionRemoved' as const, messageId: 1, from })

describe('reacting to a message (A-MSG-06)', () => {
  it('is told', () => given(waiting, received(1)).when(react('👍')).then(reacted('👍')))
  it('is one a side: another emoji takes its place', () => given(waiting, received(1), reacted('👍')).when(react('❤️')).then(reacted('❤️')))
  it('takes the same emoji back', () => given(waiting, received(1), reacted('👍')).when(react('👍')).then(tookBack()))
  it('gives it again after that', () => given(waiting, received(1), reacted('👍'), tookBack()).when(react('👍')).then(reacted('👍')))
  it('leaves the other side’s alone', () => given(waiting, received(1), reacted('👍', 'contact')).when(react('👍')).then(reacted('👍')))
  it('is refused for what is removed, what only we read, and what is not here', () => {
    given(waiting, received(1), { type: 'MessageRemoved', messageId: 1, from: 'contact' }).when(react('👍')).refused('ERR_FETCH_WAPP_MSG')
    given(waiting, servedBy(7), sent(1, { private: true }))
      .when(react('👍'))
      .refused('ERR_FETCH_WAPP_MSG')
    given(waiting).when(react('👍')).refused('ERR_FETCH_WAPP_MSG')
    given(waiting, received(1), deleted).when(react('👍')).refused('ERR_NO_TICKET_FOUND')
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
  it('is nothing where the message is unknown or removed', () => {
    given(waiting).when(theirs('👍')).nothing()
    given().when(theirs('👍')).nothing()
    given(...ours, { type: 'MessageRemoved', messageId: 1, from: 'us' })
      .when(theirs('👍'))
      .nothing()
  })
})
