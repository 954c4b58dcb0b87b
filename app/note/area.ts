import { notes, noteTopic } from '#domain/note/contract.ts'
import { notesById } from '#projections/note/read.ts'
import { type Area, calls } from '../area.ts'
import { noteRoutes } from './routes.ts'

export const noteArea: Area = {
  calls: [calls('notes', notes, noteRoutes)],
  topics: ({ db }) => [
    {
      topic: noteTopic,
      load: (_, ids) => notesById(db, ids),
      trace: ({ ticketId, ticket }) => ({ ticketId, ticket }),
      wanted: (seat) => seat.boxes.size > 0,
      joined: (seat, { ticketId }) => ticketId === undefined || seat.boxes.has(ticketId), // of one that is gone, its ticket may be forgotten
    },
  ],
}
