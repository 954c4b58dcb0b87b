import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'
import type { AcceptedResponse } from '#domain/contract.ts'
import { type NoteRow, noteTopic } from '#domain/note/contract.ts'
import type { Topic } from '#domain/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollection, createLiveCollections } from '#web/live.ts'
import { addPendingChange } from '#web/pending-changes.ts'
import { viewer } from '#web/session.ts'
import { nowDate } from '#web/ui/now.ts'

export const notesTopic = noteTopic as unknown as Topic<NoteRow>
/** Shows a stored note before the read models contain it. */
export function awaitNote({ ids }: AcceptedResponse, note: Omit<NoteRow, 'id' | 'createdAt'>): void {
  const createdAt = nowDate().toISOString()
  for (const id of ids) addPendingChange(notesTopic, { op: 'put', row: { ...note, id, createdAt } }, () => true)
}
/** The team's notes about the contact, in this ticket and earlier ones, newest first. */
export const notesOf = createLiveCollections<NoteRow, { ticketId: number; contactId: number }>(({ ticketId, contactId }) =>
  createLiveCollection<NoteRow>({
    topic: notesTopic,
    order: (a, b) => b.id - a.id,
    belongs: (row) => row.contactId === contactId,
    load: async () => {
      const rows = await api.notes.list({ query: { ticketId, contactId } })
      return { rows: rows.toSorted((a, b) => b.id - a.id), hasMore: false }
    },
  }),
)

/** The unsaved note of each ticket, shared by all views; it is removed with the drafts at sign-out. */
export const noteDraftOf = atomFamily((ticketId: number) => {
  const name = `draft-${viewer().id}-note-${ticketId}`
  const now = atom(localStorage.getItem(name) ?? '')
  return atom(
    (get) => get(now),
    (get, set, change: string | ((now: string) => string)) => {
      const text = typeof change === 'string' ? change : change(get(now))
      set(now, text)
      try {
        if (text === '') localStorage.removeItem(name)
        else localStorage.setItem(name, text)
      } catch {
        // with a full storage it lasts as long as this page
      }
    },
  )
})
