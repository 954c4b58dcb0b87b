import { atom } from 'jotai'
import { atomFamily } from 'jotai-family'

/** The readers of a text: the customer, or only the team. Each mode has its own draft (A-NOTE-01). */
export type Mode = 'reply' | 'note'
export const modeFor = (isPrivate: boolean): Mode => (isPrivate ? 'note' : 'reply')

/**
 * Unsent text per user, ticket and mode. It survives leaving and reloading. `to` and `ticketId` are known once the
 * ticket has loaded.
 */
export type Draft = {
  body: string
  quoted: number | null
  to: string
  ticketId: number | null
  /** The captions of the attached files, by attachment id. */
  captions: Readonly<Record<string, string>>
}
export const blank: Draft = { body: '', quoted: null, to: '', ticketId: null, captions: {} }
export const isBlank = ({ body, quoted, captions }: Draft) =>
  body === '' && quoted === null && Object.values(captions).every((caption) => caption === '')

type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
const key = (userId: number, uuid: string, mode: Mode) => `draft-${userId}-${uuid}-${mode}`

export function read(storage: TextStorage | null, userId: number, uuid: string, mode: Mode): Draft {
  try {
    const kept = JSON.parse(storage?.getItem(key(userId, uuid, mode)) ?? 'null') as Partial<Draft> | null
    return kept && typeof kept.body === 'string' ? { ...blank, ...kept } : blank
  } catch {
    return blank
  }
}
function write(storage: TextStorage | null, userId: number, uuid: string, mode: Mode, draft: Draft): void {
  try {
    if (isBlank(draft)) storage?.removeItem(key(userId, uuid, mode))
    else storage?.setItem(key(userId, uuid, mode), JSON.stringify(draft))
  } catch {
    // with a full storage the draft lasts as long as this page
  }
}

type StorageEvents = Pick<Window, 'addEventListener' | 'removeEventListener'>
const noEvents: StorageEvents = { addEventListener: () => {}, removeEventListener: () => {} }

/**
 * Tabs share one draft until a second tab edits it. Then each tab has its own and clears only that, and is offered the
 * text of the other.
 */
export function drafts(storage: TextStorage | null, userId: number, events: StorageEvents = noEvents) {
  const draftIn = (uuid: string, mode: Mode) => {
    const now = atom(read(storage, userId, uuid, mode))
    let own = false // edited in this tab and not sent yet
    const kept = () => read(storage, userId, uuid, mode)
    let seen = kept() // the stored draft, as this tab last read or wrote it
    /** The text that another tab wrote for this ticket meanwhile; null without one. */
    const otherTab = atom<string | null>(null)
    const syncedDraft = atom(
      (get) => get(now),
      (get, set, _: 'changed') => {
        const stored = kept()
        const { body } = stored
        set(otherTab, own && body !== '' && body !== get(now).body ? body : null)
        const isSent = own && isBlank(stored) && !isBlank(seen) && seen.body === get(now).body // the other tab sent the text of both
        if (isSent) own = false
        if (!own) set(now, stored)
        else if (isBlank(stored)) write(storage, userId, uuid, mode, get(now)) // the other tab sent its own text, not this one
        seen = kept()
      },
    )
    syncedDraft.onMount = (update) => {
      const onStorage = ({ key: changed }: StorageEvent) => changed === key(userId, uuid, mode) && update('changed')
      update('changed')
      events.addEventListener('storage', onStorage)
      return () => events.removeEventListener('storage', onStorage)
    }
    const draft = atom(
      (get) => get(syncedDraft),
      (get, set, change: Partial<Draft>) => {
        const was = get(now)
        const next = { ...was, ...change }
        set(now, next)
        if (get(otherTab) === next.body) set(otherTab, null)
        const foreign = kept().body !== was.body // of another tab, newer than the text here
        own = !isBlank(next)
        if (!(isBlank(next) && foreign)) write(storage, userId, uuid, mode, next)
        seen = kept()
      },
    )
    return { draft, otherTab }
  }
  const all = new Map<string, ReturnType<typeof draftIn>>()
  const atomsOf = (uuid: string, mode: Mode) => {
    const name = key(userId, uuid, mode)
    const atoms = all.get(name) ?? draftIn(uuid, mode)
    all.set(name, atoms)
    return atoms
  }
  return {
    draftOf: (uuid: string, mode: Mode) => atomsOf(uuid, mode).draft,
    otherTabOf: (uuid: string, mode: Mode) => atomsOf(uuid, mode).otherTab,
  }
}

/**
 * The mode of each ticket in this tab, kept over a reload. A new tab starts with the last choice and changes no
 * other tab (A-NOTE-01).
 */
export const modes = (tab: TextStorage | null, browser: TextStorage | null, userId: number) =>
  atomFamily((uuid: string) => {
    const name = `mode-${userId}-${uuid}`
    const now = atom<Mode>((tab?.getItem(name) ?? browser?.getItem(name)) === 'note' ? 'note' : 'reply')
    return atom(
      (get) => get(now),
      (_, set, mode: Mode) => {
        set(now, mode)
        try {
          tab?.setItem(name, mode)
          if (mode === 'note') browser?.setItem(name, mode)
          else browser?.removeItem(name)
        } catch {
          // with a full storage the mode lasts as long as this page
        }
      },
    )
  })

/** The storage key of a ticket's files: its id for a reply, a prefixed id for a note. */
export type Box = number | `note-${number}`
export const boxOf = (ticketId: number, mode: Mode): Box => (mode === 'note' ? `note-${ticketId}` : ticketId)

/** A file of the composer, in the order of choice. `isPreparing`: it is being checked and reduced at its place. */
export type Attachment = { id: string; file: File; isPreparing: boolean }
/** A place for a file that is still being downloaded. It is not stored, because an empty file would come back after a reload. */
const isAwaited = ({ file, isPreparing }: Attachment) => isPreparing && file.size === 0
export const attachmentOf = (file: File, isPreparing = false): Attachment => ({ id: crypto.randomUUID(), file, isPreparing })

type FileStorage = {
  /** Resolves to whether the files are stored. */
  keep: (userId: number, box: Box, files: Attachment[]) => Promise<boolean>
  /** Resolves to null if the storage cannot be read. */
  kept: (userId: number, box: Box) => Promise<Attachment[] | null>
}
/** Tells the other tabs of a user in which box files were stored. */
type BoxChannel = Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'removeEventListener'>
const includes = (files: Attachment[], id: string) => files.some((file) => file.id === id)
/**
 * The files of this tab with what other tabs stored or removed since this tab last knew the storage (`known`). This tab's
 * order stays; a file of another tab follows the file that it follows in the storage.
 */
function merged(now: Attachment[], known: Attachment[], stored: Attachment[]): Attachment[] {
  const all = now.filter(({ id }) => includes(stored, id) || !includes(known, id))
  for (const [at, file] of stored.entries()) {
    if (includes(known, file.id) || includes(now, file.id)) continue
    const previous = stored[at - 1]
    all.splice(all.findIndex(({ id }) => id === previous?.id) + 1, 0, file)
  }
  return all
}
/** Files in the composer, per user, ticket and mode; they survive a reload. */
export const waiting = (fileStorage: FileStorage, userId: number, channel: BoxChannel | null = null) =>
  atomFamily((box: Box) => {
    const now = atom<Attachment[]>([])
    let known: Attachment[] = [] // the stored files, as this tab last read or wrote them
    let queue = Promise.resolve() // reads and writes run one at a time
    const readStored = async (update: (change: (now: Attachment[]) => Attachment[]) => void) => {
      const stored = await fileStorage.kept(userId, box)
      if (stored === null) return
      const before = known
      known = stored
      update((files) => merged(files, before, stored))
    }
    now.onMount = (update) => {
      const readAgain = () => {
        queue = queue.then(() => readStored(update))
      }
      const onBoxChange = ({ data }: MessageEvent) => data === box && readAgain()
      readAgain()
      channel?.addEventListener('message', onBoxChange)
      return () => channel?.removeEventListener('message', onBoxChange)
    }
    return atom(
      (get) => get(now),
      (get, set, change: Attachment[] | ((now: Attachment[]) => Attachment[])) => {
        const files = typeof change === 'function' ? change(get(now)) : change
        if (files.length === 0 && get(now).length === 0) return // files of another tab stay
        set(now, files)
        queue = queue.then(async () => {
          await readStored((update) => set(now, update))
          const all = get(now).filter((one) => !isAwaited(one))
          known = (await fileStorage.keep(userId, box, all)) ? all : []
          channel?.postMessage(box)
        })
      },
    )
  })

type Kept = { readonly [name: string]: unknown }
/** The stored texts whose names have this prefix, by ticket. */
export const keptUnder = (storage: Kept, name: string): { ticketId: number; text: string }[] =>
  Object.entries(storage)
    .filter(([one]) => one.startsWith(name) && /^\d+$/.test(one.slice(name.length)))
    .map(([one, text]) => ({ ticketId: Number(one.slice(name.length)), text: String(text) }))

/** Every draft of this user. */
export const keptDrafts = (storage: TextStorage & Kept, userId: number): (Draft & { uuid: string; mode: Mode })[] =>
  Object.keys(storage).flatMap((name) => {
    const [, uuid, mode] = new RegExp(`^draft-${userId}-(.+)-(reply|note)$`).exec(name) ?? []
    return uuid ? [{ ...read(storage, userId, uuid, mode as Mode), uuid, mode: mode as Mode }] : []
  })

/** Removes the drafts and modes of a user. */
export function forgetDrafts(storage: Pick<Storage, 'removeItem'> & { [key: string]: unknown }, userId: number): void {
  for (const name of Object.keys(storage)) if (new RegExp(`^(draft|mode)-${userId}-`).test(name)) storage.removeItem(name)
}
