import { describe, it } from 'vitest'
import { by, contact, given, inGroup, received, waiting } from '#tests/support/story.ts'

/* In a group the contact is the group. The author is a pseudonym that only allows comparing two authors. */
const ana = { author: 'ana' }
const ze = { author: 'ze' }
const fromAna = received(1, { participant: { id: '5511955550002', name: 'Ana' }, ...ana })

describe('a participant of a group', () => {
  const edits = { type: 'ContactEdits' as const, externalId: 'in-1', body: 'Corrigido', ...by(contact) }
  const removes = { type: 'ContactRemoves' as const, externalId: 'in-1', empties: false, ...by(contact) }

  it('edits and removes their own message', () => {
    given(inGroup, fromAna)
      .when({ ...edits, ...ana })
      .then({ type: 'MessageEdited', messageId: 1, body: 'Corrigido' })
    given(inGroup, fromAna)
      .when({ ...removes, ...ana })
      .then({ type: 'MessageRemoved', messageId: 1, from: 'contact' })
  })
  it('cannot change a message of another participant or without a named author', () => {
    for (const who of [ze, {}]) {
      given(inGroup, fromAna)
        .when({ ...edits, ...who })
        .nothing()
      given(inGroup, fromAna)
        .when({ ...removes, ...who })
        .nothing()
    }
    given(waiting, received(1))
      .when({ ...edits, ...ze })
      .nothing()
  })

  it('adds one reaction beside the others and can remove only their own', () => {
    const reacts = { type: 'ContactReacts' as const, externalId: 'in-1', emoji: '👍', ...by(contact) }
    const fromZe = { type: 'MessageReacted' as const, messageId: 1, emoji: '👍', from: 'contact' as const, ...ze }
    given(inGroup, fromAna)
      .when({ ...reacts, ...ze })
      .then(fromZe)
    const participant = { id: '5511955550002', name: 'Zé' }
    given(inGroup, fromAna)
      .when({ ...reacts, ...ze, participant })
      .then({ ...fromZe, participant })
    given(inGroup, fromAna, fromZe)
      .when({ ...reacts, ...ze, participant })
      .nothing()
    given(inGroup, fromAna, fromZe)
      .when({ ...reacts, ...ana })
      .then({ type: 'MessageReacted', messageId: 1, emoji: '👍', from: 'contact', ...ana })
    given(inGroup, fromAna, fromZe)
      .when({ ...reacts, emoji: '', ...ana })
      .nothing()
    given(inGroup, fromAna, fromZe)
      .when({ ...reacts, emoji: '', ...ze })
      .then({ type: 'ReactionRemoved', messageId: 1, from: 'contact', ...ze })
  })
})
