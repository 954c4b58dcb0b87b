import { atom, type Getter, type Setter } from 'jotai'
import { atomFamily } from 'jotai-family'
import { pageSize as defaultPageSize } from '#domain/answers.ts'
import type { Room } from '#domain/live/contract.ts'
import type { Topic } from '#domain/topic.ts'
import { type Change, idOf } from './pending-changes.ts'

export type Page<Row> = { rows: Row[]; hasMore: boolean }

export type CollectionOf<Row> = {
  topic: Topic<Row>
  load: (pageNumber: number) => Promise<Page<Row>>
  room?: Room
  /** Whether a changed row belongs to this list. */
  belongs?: (row: Row) => boolean
  /** Without it new rows come first and the others keep their place. */
  order?: (a: Row, b: Row) => number
  /** Where further pages are added: below, or above as in a chat. */
  grows?: 'down' | 'up'
  pageSize?: number
  /**
   * A list without an order shows at most one page of rows that arrive live. Its view must show the number of the others
   * (`hidden`), as `Table` does.
   */
  boundsArrivals?: boolean
  /** Pages from a row on, in either direction. With them a list that grows upwards can begin at any row. */
  from?: {
    /** The rows directly before a row, which come from above it. */
    before: (id: number) => Promise<Page<Row>>
    /** A row and those after it. hasMore: there are newer ones. */
    since: (id: number) => Promise<Page<Row>>
  }
}

type RowsOf<Row> = Pick<CollectionOf<Row>, 'belongs' | 'order' | 'grows' | 'pageSize' | 'boundsArrivals'>
type RowChanges<Row> = ReadonlyMap<number, Change<Row>>
export type LiveRows<Row extends { id: number }> = ReturnType<typeof createLiveRows<Row>>

/** The rows of a list in their order. `ids` changes only when the order does. */
export function createLiveRows<Row extends { id: number }>(of: RowsOf<Row>) {
  const { belongs = () => true, order, grows = 'down' } = of
  const { rowAtoms, removedIds, releaseRemovedRows, storeNewRows } = createRowAtoms<Row>()
  const idsAtom = atom<readonly number[]>([])
  const hasMore = atom(false)
  const hasNewer = atom(false)
  const arrivals = createArrivals(of)

  function applyOne(get: Getter, set: Setter, ids: number[], change: Change<Row>): void {
    const id = idOf(change)
    const at = ids.indexOf(id)
    if (change.op === 'drop' || !belongs(change.row)) {
      arrivals.remove(id)
      if (at < 0) return
      ids.splice(at, 1)
      removedIds.add(id)
      return
    }
    removedIds.delete(id)
    if (at >= 0 && (!order || order(get(rowAtoms(id)), change.row) === 0)) {
      set(rowAtoms(id), change.row)
      return
    }
    if (at >= 0) ids.splice(at, 1)
    const to = order ? insertionIndex(ids, (one) => order(get(rowAtoms(one)), change.row)) : grows === 'up' ? ids.length : 0
    const isOfNextPage = get(hasMore) && order && to === (grows === 'up' ? 0 : ids.length)
    const isOfNewerPage = get(hasNewer) && to === ids.length
    if (at < 0 && (isOfNextPage || isOfNewerPage)) return // its page has not loaded yet
    if (at < 0 && !arrivals.admit(id)) return
    set(rowAtoms(id), change.row)
    ids.splice(to, 0, id)
  }
  return {
    row: rowAtoms,
    ids: idsAtom,
    hasMore,
    /** There are newer rows behind the last one; they are not loaded. */
    hasNewer,
    /** The number of rows that arrived and are left out, because a page of others arrived before them. */
    hidden: arrivals.hidden,
    apply(get: Getter, set: Setter, changes: Change<Row>[]): void {
      releaseRemovedRows()
      const before = get(idsAtom)
      const ids = [...before]
      for (const change of changes) applyOne(get, set, ids, change)
      arrivals.count(set)
      if (ids.length !== before.length || ids.some((id, index) => id !== before[index])) set(idsAtom, ids)
    },
    /** Adds a page to the present rows. `newer`: changes that are newer than the page. Returns how many rows were not in the list. */
    addPage(get: Getter, set: Setter, page: Page<Row>, newer: RowChanges<Row>, side: 'next' | 'newer' = 'next'): number {
      releaseRemovedRows()
      const present = get(idsAtom)
      const ids = storeNewRows(set, page.rows, present, newer)
      for (const id of ids) arrivals.remove(id)
      set(side === 'next' ? hasMore : hasNewer, page.hasMore)
      const next = side === 'next' && grows === 'up' ? [...ids, ...present] : [...present, ...ids]
      for (const change of newer.values()) applyOne(get, set, next, change)
      arrivals.count(set)
      set(idsAtom, next)
      return page.rows.filter(({ id }) => next.includes(id) && !present.includes(id)).length
    },
    /** Replaces the rows by the first pages behind the rows `kept`, and then applies the changes that are newer than the pages. */
    replace(get: Getter, set: Setter, pages: Page<Row> & { hasNewer?: boolean }, kept: readonly number[], newer: RowChanges<Row>): void {
      releaseRemovedRows()
      arrivals.clear()
      const next = [...kept, ...storeNewRows(set, pages.rows, kept, newer)]
      set(hasMore, pages.hasMore)
      set(hasNewer, pages.hasNewer ?? false)
      const staying = new Set([...next, ...newer.keys()])
      for (const id of get(idsAtom)) if (!staying.has(id)) removedIds.add(id)
      for (const change of newer.values()) applyOne(get, set, next, change)
      arrivals.count(set)
      set(idsAtom, next)
    },
  }
}

/**
 * The rows that live updates added to a list since it loaded, at most one page. More would bury the loaded rows and
 * make every one of them render again, as during an import.
 */
function createArrivals({ pageSize = defaultPageSize, order, boundsArrivals = false }: RowsOf<never>) {
  const limit = boundsArrivals && !order ? pageSize : Number.POSITIVE_INFINITY
  const shown = new Set<number>()
  const left = new Set<number>()
  const hidden = atom(0)
  return {
    hidden,
    /** Whether a new row is shown. */
    admit(id: number): boolean {
      const isShown = shown.size < limit
      if (isShown) left.delete(id)
      ;(isShown ? shown : left).add(id)
      return isShown
    },
    remove(id: number): void {
      shown.delete(id)
      left.delete(id)
    },
    clear(): void {
      shown.clear()
      left.clear()
    },
    count(set: Setter): void {
      set(hidden, left.size)
    },
  }
}

/** The rows by id. */
function createRowAtoms<Row extends { id: number }>() {
  const rowAtoms = atomFamily((_: number) => atom<Row>(null as unknown as Row)) // set before its id is in ids
  const removedIds = new Set<number>()
  /** A removed row stays rendered until its list renders, so its atom is released one turn later. */
  function releaseRemovedRows(): void {
    for (const id of removedIds) rowAtoms.remove(id)
    removedIds.clear()
  }
  function storeNewRows(set: Setter, rows: Row[], known: readonly number[], newer: RowChanges<Row>): number[] {
    const present = new Set(known)
    const newRows = rows.filter(({ id }) => !present.has(id) && !newer.has(id))
    for (const row of newRows) {
      removedIds.delete(row.id)
      set(rowAtoms(row.id), row)
    }
    return newRows.map(({ id }) => id)
  }
  return { rowAtoms, removedIds, releaseRemovedRows, storeNewRows }
}

/** The first place whose row comes after the new one. `compare` is positive for such a row. */
function insertionIndex(ids: readonly number[], compare: (id: number) => number): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(ids[middle]!) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
