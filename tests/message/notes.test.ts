import { describe, it } from 'vitest'
import { closed, deleted, given, waiting } from '#tests/support/story.ts'

const add = { type: 'AddNote' as const, noteId: 51, note: 'Pediu boleto' }
const added = { type: 'NoteAdded' as const, noteId: 51, note: 'Pediu boleto' }
const removed = { type: 'NoteRemoved' as const, noteId: 51 }

describe('a note about a ticket', () => {
  it('can be added, also to a closed ticket', () => {
    given(waiting).when(add).then(added)
    given(waiting, closed).when(add).then(added)
  })
  it('is added once', () => given(waiting, added).when(add).nothing())
  it('is refused for a missing or deleted ticket', () => {
    given().when(add).refused('ERR_NO_TICKET_FOUND')
    given(waiting, deleted).when(add).refused('ERR_NO_TICKET_FOUND')
  })
})

describe('removing a note (A-NOTE-01)', () => {
  const remove = { type: 'RemoveNote' as const, noteId: 51, admin: false }
  it('is allowed for the author', () => given(waiting, added).when(remove).then(removed))
  it('is allowed for an admin', () =>
    given(waiting, { ...added, by: { kind: 'user', id: 8 } })
      .when({ ...remove, admin: true })
      .then(removed))
  it('is refused for any other user', () =>
    given(waiting, { ...added, by: { kind: 'user', id: 8 } })
      .when(remove)
      .refused('ERR_NO_PERMISSION'))
  it('is refused for a missing or removed note', () => {
    given(waiting).when(remove).refused('ERR_NO_NOTE_FOUND')
    given(waiting, added, removed).when(remove).refused('ERR_NO_NOTE_FOUND')
  })
})
