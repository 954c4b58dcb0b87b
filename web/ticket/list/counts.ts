import { type Atom, atom } from 'jotai'
import type { Room } from '#domain/live/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { type LiveConnection, live } from '#web/socket.ts'
import { onLoadedTickets } from './loaded-tickets.ts'

export const counted = ['open', 'pending', 'group', 'asked'] as const
export type Counted = (typeof counted)[number]
export type Counts = Record<Counted, number | null>
export const uncounted: Counts = { open: null, pending: null, group: null, asked: null }

/** Every list of tickets uses the same room, so only the last one leaves it. */
export const ticketsRoom: Room = { name: 'Tickets', data: { status: 'all' } }

/**
 * The number of tickets in each tab. A change counts at once if the ticket is new, or was in a loaded list or a frame before; otherwise
 * the counts reload at once, but no sooner than `pause` milliseconds after their last reload, and one reload at a time.
 */
export function counts(
  of: { ask: (tab: Counted) => Promise<number>; tabOf: (row: TicketRow) => Counted | null; tabs: readonly Counted[]; pause?: number },
  connection: LiveConnection = live,
): Atom<Counts> {
  const { pause = 1000 } = of
  const state = atom(uncounted)
  const known = new Map<number, Counted | null>()
  const countsAtom = atom(
    (get) => get(state),
    (get, set, update: Counts | ((now: Counts) => Counts)) => set(state, typeof update === 'function' ? update(get(state)) : update),
  )
  countsAtom.onMount = (tell) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let changedWhile = false
    let isLoading = false
    let askedAt = Number.NEGATIVE_INFINITY
    let away = false
    const ask = async () => {
      timer = undefined
      changedWhile = false
      isLoading = true
      askedAt = performance.now()
      const answers = await Promise.allSettled(of.tabs.map((tab) => of.ask(tab)))
      isLoading = false
      if (away) return
      tell((now) => {
        const next = { ...now }
        of.tabs.forEach((tab, at) => {
          const answer = answers[at]!
          if (answer.status === 'fulfilled') next[tab] = answer.value
        })
        return next
      })
      if (changedWhile) later()
    }
    const later = () => {
      changedWhile = true
      if (!isLoading) timer ??= setTimeout(() => void ask(), Math.max(0, askedAt + pause - performance.now()))
    }
    const moved = (id: number, to: Counted | null, isNew = false) => {
      const from = known.has(id) ? known.get(id) : isNew ? null : undefined
      known.set(id, to)
      if (from === undefined) return later()
      if (from === to) return
      changedWhile = true
      tell((now) => ({
        ...now,
        ...(from && now[from] !== null && { [from]: Math.max(0, now[from] - 1) }),
        ...(to && now[to] !== null && { [to]: now[to] + 1 }),
      }))
    }
    const ends = [
      connection.join(ticketsRoom),
      connection.onReconnect(later),
      onLoadedTickets((rows) => {
        for (const row of rows) if (!known.has(row.id)) known.set(row.id, of.tabOf(row))
      }),
      connection.subscribe(ticketTopic.name, (frames) => {
        for (const { action, id, ticket } of frames) {
          if (action === 'refresh') later()
          else if (action === 'delete') moved(Number(id), null)
          else if (ticket) moved((ticket as TicketRow).id, of.tabOf(ticket as TicketRow), action === 'create')
        }
      }),
    ]
    void ask()
    return () => {
      away = true
      clearTimeout(timer)
      known.clear()
      for (const end of ends) end()
    }
  }
  return countsAtom
}
