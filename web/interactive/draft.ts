import { viewer } from '#web/session.ts'
import { blank, type Kind, type Typed } from './kinds.ts'

type Draft = { kind: Kind; typed: Typed }
const key = (ticketId: number) => `interactive-${viewer().id}-${ticketId}`

/** The unsent input of this ticket, kept while the tab is open. */
export function kept(ticketId: number): Draft {
  const fresh: Draft = { kind: 'list', typed: blank() }
  try {
    const draft = JSON.parse(sessionStorage.getItem(key(ticketId)) ?? 'null') as Draft | null
    return draft ? { kind: draft.kind, typed: { ...fresh.typed, ...draft.typed } } : fresh
  } catch {
    return fresh
  }
}
export function keep(ticketId: number, draft: Draft): void {
  try {
    sessionStorage.setItem(key(ticketId), JSON.stringify(draft))
  } catch {
    // with a full storage the input lasts as long as the dialog
  }
}
export const drop = (ticketId: number): void => sessionStorage.removeItem(key(ticketId))
