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
/** A note that is stored, and that the server does not show yet. */
export function awaitNote({ ids }: AcceptedResponse, note: Omit<NoteRow, 'id' | 'createdAt'>): void {
  const createdAt = nowDate().toISOString()
  for (const id of ids) addPendingChange(notesTopic, { op: 'put', row: { ...note, id, createdAt } }, () => true)
}
/** What the team noted about the contact, in this ticket and the earlier ones; newest on top. */
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

/** What is typed and not yet noted, per ticket, wherever it is typed; it goes with the drafts at sign-out. */
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
        // a full storage keeps it for this page only
      }
    },
  )
})
