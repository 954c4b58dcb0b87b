import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

/** What is typed and not sent, per user and ticket; it survives leaving and reloading. */
/** `to`: who it is for, as the agent calls them. */
export type Draft = { body: string; quoted: number | null; isPrivate: boolean; to: string }
export const blank: Draft = { body: '', quoted: null, isPrivate: false, to: '' }

type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
const key = (userId: number, ticketId: number) => `draft-${userId}-${ticketId}`

export function read(shelf: Shelf | null, userId: number, ticketId: number): Draft {
  try {
    const kept = JSON.parse(shelf?.getItem(key(userId, ticketId)) ?? 'null') as Partial<Draft> | null
    return kept && typeof kept.body === 'string' ? { ...blank, ...kept } : blank
  } catch {
    return blank
  }
}
export function write(shelf: Shelf | null, userId: number, ticketId: number, draft: Draft): void {
  try {
    if (draft.body === '' && draft.quoted === null && !draft.isPrivate) shelf?.removeItem(key(userId, ticketId))
    else shelf?.setItem(key(userId, ticketId), JSON.stringify(draft))
  } catch {
    // a full storage keeps the draft for this page only
  }
}

type Line = Pick<Window, 'addEventListener' | 'removeEventListener'>
const nobody: Line = { addEventListener: () => {}, removeEventListener: () => {} }
export const isBlank = ({ body, quoted }: Draft) => body === '' && quoted === null

/** Several tabs show one draft until somebody writes in a second one; from then on each has its own, and clears only that. */
export const drafts = (shelf: Shelf | null, userId: number, line: Line = nobody) =>
  atomFamily((ticketId: number) => {
    const now = atom(read(shelf, userId, ticketId))
    let own = false // written in this tab, and not yet sent
    const kept = () => read(shelf, userId, ticketId)
    const syncedDraft = atom(
      (get) => get(now),
      (get, set, _: 'heard') => {
        if (!own) set(now, kept())
        else if (isBlank(kept())) write(shelf, userId, ticketId, get(now)) // the other tab sent its words, not these
      },
    )
    syncedDraft.onMount = (tell) => {
      const hear = ({ key: changed }: StorageEvent) => changed === key(userId, ticketId) && tell('heard')
      tell('heard')
      line.addEventListener('storage', hear)
      return () => line.removeEventListener('storage', hear)
    }
    return atom(
      (get) => get(syncedDraft),
      (get, set, change: Partial<Draft>) => {
        const was = get(now)
        const next = { ...was, ...change }
        set(now, next)
        const foreign = own && kept().body !== was.body
        own = !isBlank(next)
        if (!(isBlank(next) && foreign)) write(shelf, userId, ticketId, next)
      },
    )
  })

type Cupboard = {
  keep: (userId: number, ticketId: number, files: File[]) => Promise<unknown>
  kept: (userId: number, ticketId: number) => Promise<File[]>
}
/** Files that wait in the composer, per user and ticket; they come back with the page. */
export const waiting = (cupboard: Cupboard, userId: number) =>
  atomFamily((ticketId: number) => {
    const now = atom<File[]>([])
    let known = false
    now.onMount = (tell) => {
      if (!known) void cupboard.kept(userId, ticketId).then((files) => !known && files.length > 0 && tell(files))
    }
    return atom(
      (get) => get(now),
      (get, set, change: File[] | ((now: File[]) => File[])) => {
        const files = typeof change === 'function' ? change(get(now)) : change
        known = true
        if (files.length === 0 && get(now).length === 0) return // what another tab attached stays
        set(now, files)
        void cupboard.keep(userId, ticketId, files)
      },
    )
  })

type Kept = { readonly [name: string]: unknown }
/** What a shelf keeps for each ticket under a name that begins so. */
export const keptUnder = (shelf: Kept, name: string): { ticketId: number; text: string }[] =>
  Object.entries(shelf)
    .filter(([one]) => one.startsWith(name) && /^\d+$/.test(one.slice(name.length)))
    .map(([one, text]) => ({ ticketId: Number(one.slice(name.length)), text: String(text) }))

/** Every draft of this user, by its ticket. */
export const keptDrafts = (shelf: Shelf & Kept, userId: number): (Draft & { ticketId: number })[] =>
  keptUnder(shelf, `draft-${userId}-`).map(({ ticketId }) => ({ ...read(shelf, userId, ticketId), ticketId }))

/** What was typed is gone with who typed it: of everybody but `but`, and of everybody at sign-out. */
export function forgetDrafts(shelf: Pick<Storage, 'removeItem'> & { [key: string]: unknown }, but: number | null): void {
  for (const name of Object.keys(shelf)) if (/^draft-\d+-/.test(name) && !name.startsWith(`draft-${but}-`)) shelf.removeItem(name)
}
