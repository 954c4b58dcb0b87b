import type { Static } from 'typebox'
import * as Type from 'typebox'
import { acting, signedIn } from '#domain/access.ts'
import { del, get, Id, Moment, Nullable, post, Text } from '#domain/contract.ts'
import { canSee, type Sighted } from '#domain/ticket/topic.ts'
import { topic } from '#domain/topic.ts'

export const NoteRow = Type.Object({
  id: Id,
  note: Type.String(),
  ticketId: Id,
  contactId: Id,
  user: Nullable(Type.Object({ id: Id, name: Type.String() })),
  createdAt: Moment,
})
export type NoteRow = Static<typeof NoteRow>

export const notes = {
  list: get('/ticket-notes/list', {
    may: signedIn,
    summary: 'Lists the private notes of a ticket; with `contactId` also those of the contact’s earlier tickets.',
    query: Type.Object({ ticketId: Id, contactId: Type.Optional(Id) }),
    answer: Type.Array(NoteRow),
  }),
  create: post('/ticket-notes', {
    eventuallyConsistent: true,
    may: acting,
    summary: 'Adds a private note to a ticket.',
    errors: ['ERR_COMMAND_REUSED'],
    body: Type.Object({ note: Text(5000, 2), ticketId: Id, contactId: Type.Optional(Id) }, { additionalProperties: false }),
    answer: NoteRow,
  }),
  remove: del('/ticket-notes/:id', { eventuallyConsistent: true, may: acting, summary: 'Deletes a note.' }),
}

/** A note with the ticket fields that decide who sees it. */
export type LiveNote = NoteRow & { companyId: number; ticket: Sighted }
export const noteTopic = topic<LiveNote>('ticketNote', 'ticketNote', (viewer, { ticket }) => canSee(viewer, ticket))
