import { createStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import type { Frame } from '#domain/live/contract.ts'
import { createLiveCollection } from '#web/live.ts'
import type { CollectionOf, Page } from '#web/live-rows.ts'
import { createLiveLine } from './live-line.ts'

type Row = { id: number; status: string; at: number }
const topic = { name: 'ticket', field: 'ticket', sees: () => true }
const row = (id: number, status = 'pending', at = id): Row => ({ id, status, at })
const put = (ticket: Row, action = 'update'): Frame => ({ channel: 'company-1-ticket', action, ticket, id: ticket.id })
const drop = (id: number): Frame => ({ channel: 'company-1-ticket', action: 'delete', id })

const loads: ((page: Page<Row>) => void)[] = []
const { line, send } = createLiveLine()
const list = (more: Partial<CollectionOf<Row>> = {}) =>
  createLiveCollection<Row>(
    {
      topic,
      load: () => new Promise((land) => loads.push(land)),
      belongs: ({ status }) => status === 'pending',
      pageSize: 3,
      boundsArrivals: true,
      ...more,
    },
    line,
  )
const soon = () => new Promise((resume) => setTimeout(resume))
const land = async (rows: Row[], hasMore = false) => {
  loads.at(-1)!({ rows, hasMore })
  await soon()
}

describe('many new rows at once, as during an import', () => {
  const many = Array.from({ length: 2000 }, (_, at) => put(row(1000 + at), 'create'))
  const loaded = async (of: ReturnType<typeof list>) => {
    const store = createStore()
    store.sub(of.ids, () => {})
    await land([row(3), row(2), row(1)])
    return store
  }
  it('do not make the list grow by more than a page, and are counted', async () => {
    const of = list()
    const store = await loaded(of)
    for (let from = 0; from < many.length; from += 100) send(many.slice(from, from + 100))
    expect(store.get(of.ids)).toEqual([1002, 1001, 1000, 3, 2, 1])
    expect(store.get(of.hidden)).toBe(1997)
  })
  it('are counted once each, and no longer when removed', async () => {
    const of = list()
    const store = await loaded(of)
    send([...many, ...many, drop(2999), put(row(2998, 'closed'))])
    expect(store.get(of.hidden)).toBe(1995)
  })
  it('leave changes of shown rows visible, and are shown by a reload', async () => {
    const of = list()
    const store = await loaded(of)
    send([...many, put(row(2, 'pending', 7)), put(row(1001, 'pending', 8))])
    expect([store.get(of.row(2)).at, store.get(of.row(1001)).at]).toEqual([7, 8])
    void store.set(of.reload)
    await land([row(1500), row(1400), row(3)], true)
    await land([row(2), row(1)])
    expect([store.get(of.ids), store.get(of.hidden)]).toEqual([[1500, 1400, 3, 2, 1], 0])
  })
  it('are bounded also while the first page loads', async () => {
    const of = list()
    const store = createStore()
    store.sub(of.ids, () => {})
    send(many)
    await land([row(2), row(1)])
    expect([store.get(of.ids).length, store.get(of.hidden)]).toEqual([5, 1997])
  })
  it.each([
    ['with an order', { order: (a: Row, b: Row) => b.at - a.at }],
    ['whose view does not show the others', { boundsArrivals: false }],
  ])('are all in a list %s', async (_, more) => {
    const of = list(more)
    const store = await loaded(of)
    send(many)
    expect([store.get(of.ids).length, store.get(of.hidden)]).toEqual([2003, 0])
  })
})
