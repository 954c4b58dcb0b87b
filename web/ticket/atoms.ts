import { type Atom, atom } from 'jotai'
import type { Viewer } from '#domain/access.ts'
import { type TicketRow, ticketTopic } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { type Collection, collection, collections, type Page, type Single, single } from '#web/live.ts'
import { store, viewerAtom } from '#web/session.ts'
import { type Line, live } from '#web/socket.ts'
import { type Counted, type Counts, counted, counts, ticketsRoom } from './counts.ts'
import type { Dialog } from './dialogs/dialog.ts'
import { belongs, type Choice, everything, order, query, type Tab, type Wanted } from './wanted.ts'

const pageSize = 20

export const tabAtom = atom<Tab>('open')
export const choiceAtom = atom<Choice>(everything)
export const onMessagesAtom = atom(false)
export const pageSizeAtom = atom(pageSize)

/** What is typed, and half a second later what is searched (R-INBOX-10). */
export const searchDebounce = 500
export const typedAtom = atom('')
const searched = atom('')
let typing: ReturnType<typeof setTimeout> | undefined
export const searchAtom = atom(
  (get) => get(searched),
  (_, set, text: string) => {
    set(typedAtom, text)
    clearTimeout(typing)
    if (text.trim() === '') set(searched, '')
    else typing = setTimeout(() => set(searched, text), searchDebounce)
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

const page = ({ tickets, hasMore }: { tickets: TicketRow[]; hasMore: boolean }): Page<TicketRow> => ({ rows: tickets, hasMore })

/** The list of a tab, without React and without the one server: tests bring their own. */
export function ticketList(
  viewer: Viewer,
  wanted: Wanted,
  load = (pageNumber: number): Promise<Page<TicketRow>> => api.tickets.list({ query: query(wanted, viewer, pageNumber) }).then(page),
  line: Line = live,
): Collection<TicketRow> {
  const told = new Set<number>() // what the server found by the words of a message stays found
  return collection<TicketRow>(
    {
      topic: ticketTopic,
      room: ticketsRoom,
      pageSize: wanted.pageSize,
      order: order(wanted),
      load: async (pageNumber) => {
        const answer = await load(pageNumber)
        if (wanted.onMessages) for (const { id } of answer.rows) told.add(id)
        return answer
      },
      belongs: (row) => belongs(wanted, viewer, row) || (told.has(row.id) && belongs({ ...wanted, text: '' }, viewer, row)),
    },
    line,
  )
}

const lists = collections<TicketRow, { viewer: Viewer; wanted: Wanted }>(({ viewer, wanted }) => ticketList(viewer, wanted))
export const listAtom = atom((get) => {
  const viewer = get(viewerAtom)
  return viewer && lists({ viewer, wanted: get(wantedAtom) })
})

const countsOf = new Map<string, Atom<Counts>>()
export const countsAtom = atom((get): Counts => {
  const viewer = get(viewerAtom)
  if (!viewer) return { open: null, pending: null, group: null }
  const { showAll } = get(choiceAtom)
  const key = JSON.stringify([viewer, showAll])
  const wanted = (tab: Tab): Wanted => ({ tab, choice: { ...everything, showAll }, text: '', onMessages: false, pageSize: 1 })
  const mine = countsOf.get(key) ?? tallies(viewer, wanted)
  countsOf.clear()
  countsOf.set(key, mine)
  return get(mine)
})
const tallies = (viewer: Viewer, wanted: (tab: Tab) => Wanted) =>
  counts({
    tabs: counted.filter((tab) => tab !== 'group' || viewer.flags.allowGroup),
    ask: (tab) => api.tickets.list({ query: query(wanted(tab), viewer, 1) }).then(({ count }) => count),
    tabOf: (row): Counted | null => counted.find((tab) => belongs(wanted(tab), viewer, row)) ?? null,
  })

type Opened = ReturnType<typeof single<TicketRow>>
const opened = new Map<string, Opened>()
/** The ticket on screen, by its uuid; asking for it marks it read (A-TICKET-06). */
export function ticketOf(uuid: string): Opened {
  const found =
    opened.get(uuid) ??
    single<TicketRow>({
      topic: ticketTopic,
      room: ticketsRoom,
      load: () => api.tickets.byUuid({ params: { uuid } }),
      belongs: (row) => row.uuid === uuid,
    })
  opened.delete(uuid)
  opened.set(uuid, found)
  if (opened.size > 8) opened.delete(opened.keys().next().value!)
  return found
}
export type OpenTicket = Single<TicketRow>

/** What a call answered stands in the lists and in the chat before its frame comes. */
export function applyTicket(row: TicketRow): void {
  const list = store.get(listAtom)
  if (list) store.set(list.apply, [{ op: 'put', row }])
  const shown = opened.get(row.uuid)
  if (shown) store.set(shown.apply, [{ op: 'put', row }])
}
export function dropTicket({ id, uuid }: TicketRow): void {
  const list = store.get(listAtom)
  if (list) store.set(list.apply, [{ op: 'drop', id }])
  const shown = opened.get(uuid)
  if (shown) store.set(shown.apply, [{ op: 'drop', id }])
}

/** Unread messages of a ticket as the list told them, before opening it read them. */
export const unreadBefore = new Map<string, number>()

export const dialogAtom = atom<Dialog | null>(null)
/** The contact drawer beside the chat. */
const keptDrawer = typeof localStorage === 'undefined' ? null : localStorage.getItem('contactDrawer')
const drawer = atom(keptDrawer === 'open')
export const drawerAtom = atom(
  (get) => get(drawer),
  (_, set, open: boolean) => {
    localStorage.setItem('contactDrawer', open ? 'open' : 'closed')
    set(drawer, open)
  },
)
