import { topic } from '#domain/contract.ts'
import type { NoteRow } from '#domain/note/contract.ts'
import { api } from '#web/api.ts'
import { collection, collections } from '#web/live.ts'

const noteTopic = topic<NoteRow>('ticketNote', 'ticketNote', () => true)
/** What the team noted about the contact, in this ticket and the earlier ones; newest on top. */
export const notesOf = collections<NoteRow, { ticketId: number; contactId: number }>(({ ticketId, contactId }) =>
  collection<NoteRow>({
    topic: noteTopic,
    order: (a, b) => b.id - a.id,
    belongs: (row) => row.contactId === contactId,
    load: async () => {
      const rows = await api.notes.list({ query: { ticketId, contactId } })
      return { rows: rows.toSorted((a, b) => b.id - a.id), hasMore: false }
    },
  }),
)
