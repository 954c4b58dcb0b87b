import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import type { notes } from '#domain/note/contract.ts'
import type { Database } from '#projections/database.ts'
import { conversationNotes, notesById, notesOf } from '#projections/note/read.ts'
import type { Handlers } from '../http/serve.ts'
import type { NextId } from '../ids.ts'
import { waitUntilVisible } from '../projection/wait-for-projection.ts'
import type { Deps as TicketDeps } from '../ticket/execute.ts'
import { findVisibleTicket, isAdmin, toCommandMetadata } from '../ticket/visibility.ts'

type Deps = Pick<TicketDeps, 'db' | 'execute' | 'waitForProjection'> & { nextNoteId: NextId }

/** Finds a visible ticket. A given contact must be the ticket's contact, or merged with it (A-MERGE-01). */
async function ticketOf(db: Kysely<Database>, viewer: Viewer, { ticketId, contactId }: { ticketId: number; contactId?: number }) {
  const ticket = await findVisibleTicket(db, viewer, ticketId)
  if (contactId === undefined || contactId === ticket.contactId) return ticket
  const same = db.selectFrom('contact').select('id').where('id', '=', ticket.contactId).where('personId', '=', contactId)
  return (await same.executeTakeFirst()) ? ticket : refuse('ERR_NO_CONTACT_FOUND')
}

export const noteRoutes = ({ db, execute, waitForProjection, nextNoteId }: Deps): Handlers<typeof notes> => ({
  async list({ viewer, query }) {
    const { id } = await ticketOf(db, viewer, query)
    return query.contactId === undefined ? notesOf(db, id) : conversationNotes(db, viewer, id)
  },

  async create({ viewer, body, commandId }) {
    const ticket = await ticketOf(db, viewer, body)
    const note = body.note.trim()
    if (note.length < 2) refuse('ERR_INVALID_INPUT', { field: 'note', rule: 'minLength' }) // R-NOTE-01
    const noteId = await nextNoteId()
    const result = await execute(ticket.id, { type: 'AddNote', noteId, note, ...toCommandMetadata(viewer) }, commandId)
    await waitUntilVisible(waitForProjection, result, result.events.length > 0 ? [noteId] : [])
    // a repeated call returns the note of the first call
    const rows = result.events.length > 0 ? await notesById(db, [noteId]) : await notesOf(db, ticket.id)
    return rows.find((row) => row.note === note && row.user?.id === viewer.id) ?? refuse('ERR_COMMAND_REUSED')
  },

  async remove({ viewer, params, commandId }) {
    const row = await db
      .selectFrom('note')
      .select('ticketId')
      .where('id', '=', params.id)
      .where('companyId', '=', viewer.companyId)
      .executeTakeFirst()
    const { id } = await findVisibleTicket(db, viewer, row?.ticketId ?? refuse('ERR_NO_NOTE_FOUND'))
    const result = await execute(
      id,
      { type: 'RemoveNote', noteId: params.id, admin: isAdmin(viewer), ...toCommandMetadata(viewer) },
      commandId,
    )
    await waitUntilVisible(waitForProjection, result, [params.id])
  },
})
