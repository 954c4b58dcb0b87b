import { createStore } from 'jotai'
import { describe, expect, it, vi } from 'vitest'
import { flags, type Viewer } from '#domain/access.ts'
import type { Frame } from '#domain/live/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { cut, lastLine, lastWords, speaker } from '#web/ticket/list/card.ts'
import { counts } from '#web/ticket/list/counts.ts'
import { ticketList } from '#web/ticket/list/lists.ts'
import { reportLoadedTickets } from '#web/ticket/list/loaded-tickets.ts'
import { goesOn, stableOrder, waiting } from '#web/ticket/list/stableOrder.ts'
import { belongs, everything, query, queuesInSight, type Tab, tabsOf, type Wanted } from '#web/ticket/list/wanted.ts'
import { createLiveLine } from './live-line.ts'

const viewer = (more: Partial<Viewer> = {}, on: string[] = []): Viewer => ({
  ...{
    id: 7,
    name: 'Ana',
    companyId: 1,
    profile: 'user',
    super: false,
    plan: {},
    queueIds: [1, 2],
    retiredQueueIds: [],
    reportQueueIds: null,
    masked: false,
    timeZone: 'America/Sao_Paulo',
    phoneCountry: 'BR' as const,
    companyLanguage: 'pt-BR' as const,
  },
  flags: Object.fromEntries(flags.map((name) => [name, on.includes(name)])) as Viewer['flags'],
  ...more,
})
const admin = viewer({ profile: 'admin' })
const ticket = (id: number, more: Partial<TicketRow> = {}): TicketRow =>
  ({
    ...{ id, uuid: `u${id}`, companyId: 1, status: 'open', channel: 'whatsapp', isGroup: false, contactId: id, whatsappId: 1 },
    contact: { id, name: `Contato ${id}`, number: `551198765${String(id).padStart(4, '0')}` },
    ...{ queueId: 1, userId: 7, tags: [], unreadMessages: 0, revision: 1 },
    updatedAt: `2026-11-20T10:${String(id).padStart(2, '0')}:00.000Z`,
    ...more,
  }) as TicketRow
const wanted = (tab: Tab, choice: Partial<Wanted['choice']> = {}, more: Partial<Wanted> = {}): Wanted => ({
  ...{ tab, choice: { ...everything, ...choice }, text: '', onMessages: false, pageSize: 20 },
  ...more,
})

const { line, send } = createLiveLine()
const put = (row: TicketRow): Frame => ({ channel: 'company-1-ticket', action: 'update', ticket: row, id: row.id })
const drop = (id: number): Frame => ({ channel: 'company-1-ticket', action: 'delete', id })
const soon = () => new Promise((resume) => setTimeout(resume))

async function shown(of: Wanted, rows: TicketRow[], who = viewer(), hasMore = false) {
  const store = createStore()
  const list = ticketList(who, of, async () => ({ rows, hasMore }), line)
  store.sub(list.ids, () => {})
  await soon()
  return { store, list, ids: () => store.get(list.ids) }
}

describe('a tab of tickets', () => {
  it('adds a ticket that gets the tab’s status and removes one that loses it', async () => {
    const { ids } = await shown(wanted('pending'), [ticket(1, { status: 'pending', userId: null })])
    send([put(ticket(2, { status: 'pending', userId: null }))])
    expect(ids()).toEqual([1, 2])
    send([put(ticket(1, { status: 'open' }))])
    expect(ids()).toEqual([2])
  })
  it('sorts open tickets by newest change and waiting tickets by longest wait', async () => {
    const serving = await shown(wanted('open'), [ticket(2), ticket(1)])
    send([put(ticket(1, { updatedAt: '2026-11-20T11:00:00.000Z' }))])
    expect(serving.ids()).toEqual([1, 2])
    const queue = await shown(wanted('pending'), [ticket(1, { status: 'pending' }), ticket(2, { status: 'pending' })])
    send([put(ticket(3, { status: 'pending' }))])
    expect(queue.ids()).toEqual([1, 2, 3])
  })
  it('removes a ticket of a queue that is not selected (R-VIS-06), keeps one without a queue', async () => {
    const { ids } = await shown(wanted('open', { queueIds: [1] }), [ticket(1), ticket(2, { queueId: null })])
    send([put(ticket(1, { queueId: 2 })), put(ticket(2, { queueId: null }))])
    expect(ids()).toEqual([2])
  })
  it('removes deleted and hidden tickets', async () => {
    const { ids } = await shown(wanted('open'), [ticket(1), ticket(2)])
    send([drop(1)])
    expect(ids()).toEqual([2])
  })
  it('updates one row without changing the order', async () => {
    const { store, list, ids } = await shown(wanted('open'), [ticket(2), ticket(1)])
    const before = ids()
    send([put(ticket(2, { unreadMessages: 4 }))])
    expect(ids()).toBe(before)
    expect(store.get(list.row(2)).unreadMessages).toBe(4)
  })
  it('does not add a ticket that belongs to a page not loaded yet', async () => {
    const { ids } = await shown(wanted('open'), [ticket(9), ticket(8)], viewer(), true)
    send([put(ticket(1))])
    expect(ids()).toEqual([9, 8])
  })
})

describe('a ticket list', () => {
  const other = ticket(1, { userId: 8 })
  it.each([
    ['an agent sees their own and nobody’s', wanted('open'), viewer(), other, false],
    ['and everyone’s when they ask and may', wanted('open', { showAll: true }), viewer({}, ['allUserChat']), other, true],
    ['asking alone is not enough', wanted('open', { showAll: true }), viewer(), other, false],
    ['an admin may always ask', wanted('open', { showAll: true }), admin, other, true],
    ['an agent’s search never shows all (R-VIS-03)', wanted('search', { showAll: true }), viewer({}, ['allUserChat']), other, false],
    ['an admin’s search shows all', wanted('search'), admin, other, true],
    ['by agent, for an admin', wanted('open', { showAll: true, userIds: [9] }), admin, other, false],
    ['the filter by agent is the admin’s alone', wanted('open', { userIds: [9] }), viewer(), ticket(1), true],
    ['by connection', wanted('open', { connectionIds: [2] }), viewer(), ticket(1), false],
    ['by tag', wanted('open', { tagIds: [3] }), viewer(), ticket(1, { tags: [{ id: 3, name: 'VIP', color: '#fff' }] }), true],
    ['only unread', wanted('open', { unread: true }), viewer(), ticket(1), false],
    [
      'a search finds a name without its accents',
      wanted('search', {}, { text: 'jose' }),
      viewer(),
      ticket(1, { contact: { ...ticket(1).contact, name: 'José' } }),
      true,
    ],
    ['a number by four digits or more', wanted('search', {}, { text: '0001' }), viewer(), ticket(1), true],
    ['a ticket by its id', wanted('search', {}, { text: '12' }), viewer(), ticket(12), true],
    ['whose consent is waited for, beside the waiting', wanted('asked'), viewer(), ticket(1, { status: 'lgpd', userId: null }), true],
    ['and whose rating', wanted('asked'), viewer(), ticket(1, { status: 'nps' }), true],
    ['but not a colleague’s', wanted('asked'), viewer(), ticket(1, { status: 'nps', userId: 8 }), false],
    ['nor who waits for people', wanted('asked'), viewer(), ticket(1, { status: 'pending', userId: null }), false],
    ['consent is waited for in no tab (A-LGPD-06)', wanted('pending'), viewer(), ticket(1, { status: 'lgpd', userId: null }), false],
    ['and found by admins', wanted('search'), admin, ticket(1, { status: 'lgpd', userId: null }), true],
    ['and by no agent', wanted('search'), viewer(), ticket(1, { status: 'lgpd', userId: null }), false],
    ['and nothing else', wanted('search', {}, { text: 'zz' }), viewer(), ticket(1), false],
  ] as const)('%s', (_, of, who, row, expected) => expect(belongs(of, who, row)).toBe(expected))

  it('shows the group tab only to users with the permission', () => {
    expect(tabsOf(viewer())).toEqual(['open', 'pending', 'closed', 'search'])
    expect(tabsOf(viewer({}, ['allowGroup']))).toContain('group')
  })
  it('offers a filter by the queues that the viewer sees or has chosen', () => {
    const queues = [1, 2, 3, 4, 5].map((id) => ({ id }))
    const offered = (who: Viewer, queueIds: number[] = []) => queuesInSight(who, { ...everything, queueIds }, queues).map(({ id }) => id)
    expect(offered(viewer({ retiredQueueIds: [4] }))).toEqual([1, 2, 4])
    expect(offered(viewer({ queueIds: [1] }), [3])).toEqual([1, 3])
    expect(offered(viewer({ queueIds: [] }, ['allUserChat', 'allTicket', 'allHistoric']))).toEqual([])
    expect(offered(admin)).toEqual([1, 2, 3, 4, 5])
  })
  it('sends the same filter to the server', () => {
    expect(query(wanted('open', { queueIds: [1, 2], userIds: [9], showAll: true, unread: true, sort: 'ASC' }), admin, 2)).toEqual({
      ...{ status: 'open', pageNumber: 2, pageSize: 20, queueIds: '[1,2]', users: '[9]' },
      ...{ withUnreadMessages: true, showAll: true, sortTickets: 'ASC' },
    })
    expect(query(wanted('open', { userIds: [9], showAll: true }), viewer(), 1)).toEqual({ status: 'open', pageNumber: 1, pageSize: 20 })
    expect(query(wanted('asked'), viewer(), 1)).toEqual({ statusFilter: '["lgpd","nps"]', pageNumber: 1, pageSize: 20 })
    expect(query(wanted('search', {}, { text: ' ana ', onMessages: true }), viewer(), 1)).toMatchObject({
      searchParam: 'ana',
      searchOnMessages: true,
    })
  })
})

describe('the order of rows under the pointer', () => {
  it('is stable while rows are added, moved and removed', () => expect(stableOrder([1, 2, 3], [4, 3, 1])).toEqual([1, 2, 3]))
  it('is extended by pages loaded while scrolling', () => expect(stableOrder([1, 2, 3], [4, 1, 2, 3, 5, 6])).toEqual([1, 2, 3, 5, 6]))
  it('counts new and moved rows that wait', () => {
    expect(waiting([1, 2, 3], [1, 2, 3])).toBe(0)
    expect(waiting([1, 2, 3], [4, 3, 1, 2])).toBe(2)
    expect(waiting([1, 2, 3], [2, 3])).toBe(0)
  })
})

describe('the counts on the tabs', () => {
  const counting = (answers: Record<string, number>, pause?: number) => {
    const store = createStore()
    let asked = 0
    const atom = counts(
      {
        tabs: ['open', 'pending'],
        ...(pause !== undefined && { pause }),
        ask: async (tab) => {
          asked++
          return answers[tab]!
        },
        tabOf: (row) => (row.status === 'open' || row.status === 'pending' ? row.status : null),
      },
      line,
    )
    const end = store.sub(atom, () => {})
    return { now: () => store.get(atom), asked: () => asked, end }
  }
  it('are adjusted locally if the ticket’s former tab is known', async () => {
    const { now, end } = counting({ open: 3, pending: 5 }, 60_000)
    await soon()
    expect(now()).toMatchObject({ open: 3, pending: 5 })
    send([put(ticket(1, { status: 'pending' }))])
    send([put(ticket(1, { status: 'open' }))])
    expect(now()).toMatchObject({ open: 4, pending: 4 })
    send([drop(1)])
    expect(now()).toMatchObject({ open: 3, pending: 4 })
    end()
  })
  it('are adjusted locally for a new ticket, and for one of a loaded list', async () => {
    const { now, asked, end } = counting({ open: 3, pending: 5 }, 60_000)
    await soon()
    send([{ ...put(ticket(7, { status: 'pending' })), action: 'create' }])
    expect(now()).toMatchObject({ open: 3, pending: 6 })
    reportLoadedTickets([ticket(8, { status: 'pending' })])
    send([put(ticket(8, { status: 'open' }))])
    expect([now(), asked()]).toMatchObject([{ open: 4, pending: 5 }, 2])
    end()
  })
  it('are loaded again at once if it is unknown, and at most once a second', async () => {
    vi.useFakeTimers()
    try {
      const { asked, end } = counting({ open: 3, pending: 5 })
      await vi.advanceTimersByTimeAsync(0)
      expect(asked()).toBe(2)
      await vi.advanceTimersByTimeAsync(1000)
      send([put(ticket(1)), put(ticket(2)), put(ticket(3))])
      await vi.advanceTimersByTimeAsync(0)
      expect(asked()).toBe(4)
      for (const id of [4, 5, 6]) send([put(ticket(id))])
      await vi.advanceTimersByTimeAsync(999)
      expect(asked()).toBe(4)
      await vi.advanceTimersByTimeAsync(1)
      expect(asked()).toBe(6)
      await vi.advanceTimersByTimeAsync(60_000)
      expect(asked()).toBe(6)
      end()
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a card', () => {
  it('does not cut a character in half', () => {
    expect(cut('curto', 40)).toBe('curto')
    expect([...cut('á😀'.repeat(40), 40)]).toHaveLength(40)
  })
  it('shows a message without signature and text formatting', () => {
    expect(lastLine('*Helena Prado:* Oi, *tudo* bem?', true)).toBe('Oi, tudo bem?')
    expect(lastLine('2 * 3 * 4', false)).toBe('2 * 3 * 4')
    expect(lastLine('**Oi** e *Iara*', false)).toBe('**Oi** e Iara')
  })
  const said = {
    lastMessage: '',
    lastMessageFromMe: false,
    lastMessageKind: null,
    lastMessageDeleted: false,
    lastMessageUserId: null,
    lastMessageSender: null,
    lastMessageElsewhere: false,
    lastMessageSeconds: null,
    lastMessageFile: null,
    isGroup: false,
  }
  it('shows the length of a voice message and the name of a file without text', () => {
    expect(lastWords({ ...said, lastMessage: '🎤', lastMessageKind: 'audio', lastMessageSeconds: 2.2 })).toBe('🎤 0:02')
    expect(lastWords({ ...said, lastMessage: '🎤', lastMessageKind: 'audio', lastMessageSeconds: 125 })).toBe('🎤 2:05')
    expect(lastWords({ ...said, lastMessage: '📎', lastMessageKind: 'application', lastMessageFile: 'nota.pdf' })).toBe('📎 nota.pdf')
    expect(lastWords({ ...said, lastMessage: '📎 Segue', lastMessageKind: 'application', lastMessageFile: 'nota.pdf' })).toBe('📎 Segue')
  })
  it('names the author of the last message', () => {
    const ours = { ...said, lastMessageFromMe: true, lastMessageUserId: 7, lastMessageSender: 'Bruno Lima' }
    expect(speaker(ours, 7)).toBe('you')
    expect(speaker(ours, 8)).toBe('Bruno Lima')
    expect(speaker({ ...ours, lastMessageUserId: null, lastMessageSender: null }, 8)).toBe('system')
    expect(speaker({ ...ours, lastMessageUserId: null, lastMessageSender: null, lastMessageElsewhere: true }, 8)).toBe('phone')
    expect(speaker({ ...said, isGroup: true, lastMessageSender: 'Dona Marta' }, 8)).toBe('Dona Marta')
    expect(speaker({ ...said, lastMessageSender: 'Rafael' }, 8)).toBeNull()
  })
  it('distinguishes an extended list from a reordered list', () => {
    expect(goesOn([1, 2], [1, 2, 3])).toBe(true)
    expect(goesOn([1, 2], [2, 1])).toBe(false)
    expect(goesOn([1, 2], [1])).toBe(false)
  })
})

it('a search for # and a number finds only the ticket with that number', () => {
  const wanted = (text: string): Wanted => ({ tab: 'search', choice: everything, text, onMessages: false, pageSize: 20 })
  const row = ticket(302)
  expect(belongs(wanted('#302'), viewer(), row)).toBe(true)
  expect(belongs(wanted('#30'), viewer(), row)).toBe(false)
})
