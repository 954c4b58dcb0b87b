import { atom } from 'jotai'
import type { ContactRow } from '#domain/contact/contract.ts'

export type PersonDialog = {
  what: 'export' | 'erase'
  contact: Pick<ContactRow, 'id' | 'name'>
  /** Called when the dialog closes after the erasure. */
  onErased?: () => void
}
/** The open dialog. The shell shows it, because the row and the page of a contact disappear when its erasure starts. */
export const personDialogAtom = atom<PersonDialog | null>(null)
