import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Fold } from '../projector.ts'
import type { NoteTable } from '../ticket/tables.ts'

export const notes: Fold<TicketEvent, NoteTable> = {
  table: 'note',
  key: 'id',
  topic: 'ticketNote',
  upsertsWithoutRead: (event) => (event.type === 'NoteAdded' ? [event.noteId] : []),
  affectedKeys: (event) => ('noteId' in event ? [event.noteId] : []),
  on: {
    NoteAdded: (_, { noteId, companyId, aggregateId: ticketId, note, by, at }) => ({
      ...{ id: noteId, companyId, ticketId, note, createdAt: at },
      userId: by.kind === 'user' ? by.id : null,
    }),
    NoteRemoved: () => null,
  },
  deletesWhere: { column: 'ticketId', on: { TicketDeleted: ({ aggregateId }) => aggregateId } },
}
