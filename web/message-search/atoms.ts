import { atom } from 'jotai'
import type { Answer } from '#domain/contract.ts'
import type { MessageFilter, messageSearch } from '#domain/message-search/contract.ts'
import { api } from '#web/api.ts'

export type Results = Answer<typeof messageSearch.list>
type Search = {
  /** What is searched, as text. */
  key: string
  state: 'loading' | 'ready' | 'failed'
  /** While a new search loads, those of the one before. */
  results: Results | null
  error: unknown
  /** What loads further: the next tickets, or the messages of one ticket. */
  loading: 'tickets' | number | null
  moreError: unknown
}
const none: Search = { key: '', state: 'loading', results: null, error: null, loading: null, moreError: null }
const now = atom<Search>(none)
export const searchAtom = atom((get) => get(now))
/** How far the results are scrolled, for the way back. */
export const scrolledAtom = atom<{ key: string; top: number; messageId: number } | null>(null)

const keyOf = (filter: MessageFilter) => JSON.stringify(filter)
/** Pages may be empty although more follow. */
const mostEmptyPages = 20
async function pageOf(filter: MessageFilter, cursor?: string): Promise<Results> {
  let page = await api.messageSearch.list({ query: { ...filter, ...(cursor && { cursor }) } })
  const { count, isCountCapped } = page
  for (let n = 0; page.tickets.length === 0 && page.cursor !== null && n < mostEmptyPages; n++)
    page = await api.messageSearch.list({ query: { ...filter, cursor: page.cursor } })
  return { ...page, count, isCountCapped }
}

/** Searches; does nothing if the results are there, as after a step back. */
export const findAtom = atom(null, async (get, set, filter: MessageFilter, again = false) => {
  const key = keyOf(filter)
  const before = get(now)
  if (before.key === key && before.state !== 'failed' && !again) return
  set(now, { ...none, key, results: before.results })
  try {
    const results = await pageOf(filter)
    if (get(now).key === key) set(now, { ...none, key, state: 'ready', results })
  } catch (error) {
    if (get(now).key === key) set(now, { ...none, key, state: 'failed', error })
  }
})
/** Loads the next tickets, or the further messages of one ticket. */
export const moreAtom = atom(null, async (get, set, filter: MessageFilter, ticketId?: number) => {
  const { results, loading, key } = get(now)
  const group = results?.tickets.find(({ ticket }) => ticket.id === ticketId)
  const cursor = ticketId === undefined ? results?.cursor : group?.cursor
  if (!results || !cursor || loading !== null) return
  set(now, (before) => ({ ...before, loading: ticketId ?? 'tickets', moreError: null }))
  try {
    const page = await (ticketId === undefined ? pageOf(filter, cursor) : pageOf({ ...filter, ticketId }, cursor))
    set(now, (before) => {
      if (before.key !== key || !before.results) return before
      return {
        ...before,
        loading: null,
        results: ticketId === undefined ? withTickets(before.results, page) : withMessages(before.results, page, ticketId),
      }
    })
  } catch (error) {
    set(now, (before) => (before.key === key ? { ...before, loading: null, moreError: error } : before))
  }
})
/** What the end of the results loads. */
export const nextResults = {
  hasMore: atom((get) => get(now).state === 'ready' && get(now).results?.cursor != null),
  error: atom((get) => get(now).moreError),
  more: atom(null, (get, set) => set(moreAtom, JSON.parse(get(now).key) as MessageFilter)),
}
function withTickets(results: Results, page: Results): Results {
  const known = new Set(results.tickets.map(({ ticket }) => ticket.id))
  return { ...results, cursor: page.cursor, tickets: [...results.tickets, ...page.tickets.filter(({ ticket }) => !known.has(ticket.id))] }
}
/** A ticket that is no longer found keeps its messages, without further ones. */
function withMessages(results: Results, { tickets: [page] }: Results, ticketId: number): Results {
  const tickets = results.tickets.map((group) => {
    if (group.ticket.id !== ticketId) return group
    const known = new Set(group.messages.map(({ id }) => id))
    const further = page?.messages.filter(({ id }) => !known.has(id)) ?? []
    return { ...group, messages: [...group.messages, ...further], cursor: page?.cursor ?? null }
  })
  return { ...results, tickets }
}
