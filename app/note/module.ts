import { NoteRow, notes, noteTopic } from '#domain/note/contract.ts'
import { notesById } from '#projections/note/read.ts'
import { calls, type FeatureModule } from '../module.ts'
import { noteRoutes } from './routes.ts'

export const noteModule: FeatureModule = {
  calls: [calls('notes', notes, noteRoutes)],
  openApiSchemas: { Note: NoteRow },
  topics: ({ db }) => [
    {
      topic: noteTopic,
      load: (_, ids) => notesById(db, ids),
      trackedFields: ({ ticketId, ticket }) => ({ ticketId, ticket }),
      isSubscribed: ({ rooms }) => rooms.ChatBox.size > 0,
      // the ticket of a deleted note may be unknown
      isInRoom: ({ rooms }, { ticketId }) => ticketId === undefined || rooms.ChatBox.has(ticketId),
    },
  ],
}
