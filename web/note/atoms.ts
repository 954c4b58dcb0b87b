import type { Topic } from '#domain/contract.ts'
import { type NoteRow, noteTopic } from '#domain/note/contract.ts'
import { api } from '#web/api.ts'
import { collection, collections } from '#web/live.ts'

/** What the team noted about the contact, in this ticket and the earlier ones; newest on top. */
export const notesOf = collections<NoteRow, { ticketId: number; contactId: number }>(({ ticketId, contactId }) =>
  collection<NoteRow>({
    topic: noteTopic as unknown as Topic<NoteRow>,
    order: (a, b) => b.id - a.id,
    belongs: (row) => row.contactId === contactId,
    load: async () => {
      const rows = await api.notes.list({ query: { ticketId, contactId } })
      return { rows: rows.toSorted((a, b) => b.id - a.id), hasMore: false }
    },
  }),
)
