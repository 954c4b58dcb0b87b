import { isPageFocused } from '#web/ui/page-focus.ts'
import { holdLock } from './lock.ts'

const prefix = 'watched-'
const changes = ['focus', 'blur', 'visibilitychange']

/** Lets the other pages know that the user looks at this ticket, as long as this page has the focus. */
export function watchTicket(uuid: string): () => void {
  let release: (() => void) | null = null
  const look = () => {
    if (isPageFocused() === (release !== null)) return
    release?.()
    release = release === null ? holdLock(prefix + uuid, { mode: 'shared', locks: navigator.locks }) : null
  }
  look()
  for (const change of changes) window.addEventListener(change, look, true)
  return () => {
    for (const change of changes) window.removeEventListener(change, look, true)
    release?.()
  }
}

/** The uuids of the tickets that the user looks at, in any page of this browser. */
export async function watchedTickets(): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query()
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])))
}
