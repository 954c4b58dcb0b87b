import type { KeyboardEvent } from 'react'
import { touched } from './touched.ts'

/**
 * Whether a key sends or saves the text of its field. Shift+Enter starts a new line, and so does Enter on a touch
 * keyboard, which has no Shift+Enter.
 */
export const isSubmit = ({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !altKey && (!touched || ctrlKey || metaKey)

/** Submits the form of a text field with the same keys that send a message. */
export function submitByEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (!isSubmit(event)) return
  event.preventDefault()
  if (!event.repeat) event.currentTarget.form?.requestSubmit()
}
