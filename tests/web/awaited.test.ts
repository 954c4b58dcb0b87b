import { createStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import type { Frame } from '#domain/live/contract.ts'
import { createLiveCollection } from '#web/live.ts'
import type { CollectionOf, Page } from '#web/live-rows.ts'
import { addPendingChange } from '#web/pending-changes.ts'
import { createLiveLine } from './live-line.ts'

type Row = { id: number; status: string; at: number }
const topic = { name: 'ticket', field: 'ticket', sees: () => true }
const row = (id: number, status = 'pending', at = id): Row => ({ id, status, at })
const put = (ticket: Row): Frame => ({ channel: 'company-1-ticket', action: 'update', ticket, id: ticket.id })
const loads: ((page: Page<Row>) => void)[] = []
const { line, send } = createLiveLine()
const list = (more: Partial<CollectionOf<Row>>) =>
  createLiveCollection<Row>(
    { topic, load: () => new Promise((land) => loads.push(land)), belongs: ({ status }) => status === 'pending', pageSize: 3, ...more },
    line,
  )
const land = async (rows: Row[]) => {
  loads.at(-1)!({ rows, hasMore: false })
  await new Promise((resume) => setTimeout(resume))
}

describe('a stored change that is not shown yet', () => {
  const of = (name: string) => ({ ...topic, name })
  const accepted = { ...row(1, 'open'), at: 9 }
  const shows = ({ at }: Row) => at >= 9
  it('is in every list of its topic until the server shows it', async () => {
    const store = createStore()
    const [waiting, serving] = [
      list({ topic: of('awaited') }),
      list({ topic: of('awaited'), belongs: ({ status }: Row) => status === 'open', order: (a: Row, b: Row) => a.id - b.id }),
    ]
    const away = store.sub(waiting.ids, () => {})
    await land([row(2), row(1)])
    addPendingChange(of('awaited'), { op: 'put', row: accepted }, shows)
    expect(store.get(waiting.ids)).toEqual([2])
    send([put({ ...row(1), at: 2 })]) // an update from an earlier change of the same ticket
    expect(store.get(waiting.ids)).toEqual([2])
    away()
    store.sub(serving.ids, () => {})
    await land([])
    expect(store.get(serving.ids)).toEqual([1])
    send([put({ ...row(1, 'closed'), at: 10 })])
    expect(store.get(serving.ids)).toEqual([])
    void store.set(serving.reload)
    await land([])
    expect(store.get(serving.ids)).toEqual([])
  })
  it('is replaced by a newer page, and a dropped row stays removed', async () => {
    const store = createStore()
    const one = list({ topic: of('paged') })
    addPendingChange(of('paged'), { op: 'put', row: { ...row(1), at: 9 } }, shows)
    addPendingChange(of('paged'), { op: 'drop', id: 2 }, () => false)
    store.sub(one.ids, () => {})
    await land([row(2), { ...row(1), at: 12 }])
    expect(store.get(one.ids)).toEqual([1])
    expect(store.get(one.row(1)).at).toBe(12)
    send([put({ ...row(1), at: 3 })])
    expect(store.get(one.row(1)).at).toBe(3) // nothing is awaited any more: the server's word is the last
  })
})
