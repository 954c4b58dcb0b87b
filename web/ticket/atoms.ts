import { type Atom, atom } from 'jotai'
import type { Viewer } from '#domain/access.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { createLiveCollections, createLiveRow, type LiveRow } from '#web/live.ts'
import { store, viewerAtom } from '#web/session.ts'
import { onePaneAtom, phoneAtom, tightAtom } from '#web/ui/breakpoints.ts'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createUserStorageAtom } from '#web/ui/session-storage-atom.ts'
import type { Dialog } from './dialogs/dialog.ts'
import { type Counted, type Counts, counted, counts, ticketsRoom, uncounted } from './list/counts.ts'
import { ticketList } from './list/lists.ts'
import { belongs, type Choice, everything, query, type Tab, type Wanted } from './list/wanted.ts'

const pageSize = 20

export const tabAtom = createUserStorageAtom<Tab>('inbox-tab', 'open')
export const choiceAtom = createUserStorageAtom<Choice>('inbox-filters', everything)
export const onMessagesAtom = createUserStorageAtom('inbox-on-messages', false)
export const pageSizeAtom = atom(pageSize)

/** Milliseconds between the last key and the search (R-INBOX-10). */
export const searchDebounce = 500
export const typedAtom = createUserStorageAtom('inbox-search', '')
/** null: this user has typed nothing since the page loaded, though the box may hold a text from before a reload. */
const settledSearch = atom<{ userId: number | undefined; text: string } | null>(null)
const searched = atom((get) => {
  const settled = get(settledSearch)
  return settled && settled.userId === get(viewerAtom)?.id ? settled.text : get(typedAtom)
})
let typing: ReturnType<typeof setTimeout> | undefined
export const searchAtom = atom(
  (get) => get(searched),
  (get, set, text: string) => {
    const userId = get(viewerAtom)?.id
    set(settledSearch, { userId, text: get(searched) })
    set(typedAtom, text)
    clearTimeout(typing)
    if (text.trim() === '') set(settledSearch, { userId, text: '' })
    else typing = setTimeout(() => set(settledSearch, { userId, text }), searchDebounce)
  },
)

export const wantedAtom = atom(
  (get): Wanted => ({
    tab: get(tabAtom),
    choice: get(choiceAtom),
    text: get(tabAtom) === 'search' ? get(searched) : '',
    onMessages: get(tabAtom) === 'search' && get(onMessagesAtom),
    pageSize: get(tabAtom) === 'search' ? get(pageSizeAtom) : pageSize,
  }),
)

const lists = createLiveCollections<TicketRow, { viewer: Viewer; wanted: Wanted }>(({ viewer, wanted }) => ticketList(viewer, wanted))
export const listAtom = atom((get) => {
  const viewer = get(viewerAtom)
  return viewer && lists({ viewer, wanted: get(wantedAtom) })
})

const tallied = (tabsOf: (viewer: Viewer) => readonly Counted[]) => {
  const kept = new Map<string, Atom<Counts>>()
  return atom((get): Counts => {
    const viewer = get(viewerAtom)
    if (!viewer) return uncounted
    const { showAll } = get(choiceAtom)
    const key = JSON.stringify([viewer, showAll])
    const wanted = (tab: Tab): Wanted => ({ tab, choice: { ...everything, showAll }, text: '', onMessages: false, pageSize: 1 })
    const mine = kept.get(key) ?? tallies(viewer, wanted, tabsOf(viewer))
    kept.clear()
    kept.set(key, mine)
    return get(mine)
  })
}
const tallies = (viewer: Viewer, wanted: (tab: Tab) => Wanted, tabs: readonly Counted[]) =>
  counts({
    tabs,
    ask: (tab) => api.tickets.list({ query: query(wanted(tab), viewer, 1) }).then(({ count }) => count),
    tabOf: (row): Counted | null => counted.find((tab) => belongs(wanted(tab), viewer, row)) ?? null,
  })
export const countsAtom = tallied(({ flags }) => (flags.allowGroup ? ['open', 'pending', 'group'] : ['open', 'pending']))
/** Loaded only while the waiting tab is on screen. */
const askedCounts = tallied(() => ['asked'])
export const askedAtom = atom((get) => get(askedCounts).asked)

/** The open ticket by its uuid; loading it records an access event (A-TICKET-06). */
export const ticketOf = createLruCache(
  (uuid: string) =>
    createLiveRow<TicketRow>({
      topic: ticketTopic,
      room: ticketsRoom,
      load: () => api.tickets.byUuid({ params: { uuid } }),
      belongs: (row) => row.uuid === uuid,
    }),
  8,
)
export type OpenTicket = LiveRow<TicketRow>

/** Shows the answer of a call in the lists and the chat before the live update arrives. */
export function applyTicket(row: TicketRow): void {
  const list = store.get(listAtom)
  if (list) store.set(list.apply, [{ op: 'put', row }])
  store.set(ticketOf(row.uuid).apply, [{ op: 'put', row }])
}
export function dropTicket({ id, uuid }: TicketRow): void {
  const list = store.get(listAtom)
  if (list) store.set(list.apply, [{ op: 'drop', id }])
  store.set(ticketOf(uuid).apply, [{ op: 'drop', id }])
}

/** Name of the contact whose open ticket is no longer visible. The pane shows it until another ticket is chosen. */
export const goneAtom = atom<string | null>(null)
/** Tickets with a call in flight; their cards look inactive until the server has answered. */
export const underWayAtom = atom<ReadonlySet<number>>(new Set<number>())
export async function underWay<T>(ids: readonly number[], work: () => Promise<T>): Promise<T> {
  store.set(underWayAtom, (now) => new Set([...now, ...ids]))
  try {
    return await work()
  } finally {
    store.set(underWayAtom, (now) => new Set([...now].filter((id) => !ids.includes(id))))
  }
}
/** Tickets that this page itself transfers or closes, so the agent needs no notice. */
export const sentAway = new Set<string>()

/** Unread counts from the list before opening a ticket marked its messages as read. */
export const unreadBefore = new Map<string, number>()

export const dialogAtom = atom<Dialog | null>(null)
/**
 * The contact drawer. Beside the chat its state is stored; over the chat or as a whole pane it lasts as long as
 * the page.
 */
const keptDrawer = typeof localStorage === 'undefined' ? null : localStorage.getItem('contactDrawer')
const drawer = atom(keptDrawer === 'open')
const drawerOver = atom(false)
const drawerPane = atom(false)
export const drawerAtom = atom(
  (get) => (get(onePaneAtom) ? get(drawerPane) : get(drawerOver) || (!get(tightAtom) && get(drawer))),
  (get, set, open: boolean) => {
    if (get(onePaneAtom)) return set(drawerPane, open)
    set(drawerOver, open && get(tightAtom))
    if (get(tightAtom)) return
    localStorage.setItem('contactDrawer', open ? 'open' : 'closed')
    set(drawer, open)
  },
)

/** The contact whose tags a refusal requires: the drawer opens its tag picker. */
export const tagAskedAtom = atom<number | null>(null)

export const narrowAtom = phoneAtom
