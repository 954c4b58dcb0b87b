import { atom, useAtomValue } from 'jotai'
import type { TicketRow } from '#domain/ticket/contract.ts'
import type { Attachment } from '#web/message/composer/drafts.ts'
import { draftOf } from '#web/message/composer/early.ts'

/** What the user wrote, attached or recorded and has not sent. */
export type DraftInList = { text: string; files: readonly File[] }

type FilesOf = typeof import('#web/message/sending.ts')['filesOf']
/** Loaded late: the list does not wait for the code that sends. */
const filesOfAtom = atom<FilesOf | null>(null)
filesOfAtom.onMount = (set) => void import('#web/message/sending.ts').then(({ filesOf }) => set(() => filesOf))
const noFiles = atom<Attachment[]>([])

/** The draft of a ticket in the list; null for the open ticket, whose draft is on the screen. */
export function useDraftInList({ id, uuid }: TicketRow, isOpen: boolean): DraftInList | null {
  const filesOf = useAtomValue(filesOfAtom)
  const reply = { text: useAtomValue(draftOf(uuid, 'reply')).body.trim(), files: useAtomValue(filesOf?.(id, 'reply') ?? noFiles) }
  const note = { text: useAtomValue(draftOf(uuid, 'note')).body.trim(), files: useAtomValue(filesOf?.(id, 'note') ?? noFiles) }
  if (isOpen) return null
  const found = [reply, note].find(({ text }) => text !== '') ?? [reply, note].find(({ files }) => files.length > 0)
  return found ? { text: found.text, files: found.files.map(({ file }) => file) } : null
}
