import { type Atom, atom, type Getter, type Setter, type WritableAtom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { pageSize } from '#domain/answers.ts'
import type { Frame, Room } from '#domain/live/contract.ts'
import type { Topic } from '#domain/topic.ts'
import { ApiError } from './api.ts'
import { type Change, idOf, onPendingChange, pendingChangesOf, reconcile } from './pending-changes.ts'
import { type LiveConnection, live } from './socket.ts'
import { againAfter, isTransient } from './transient.ts'
import { createLruCache } from './ui/lru-cache.ts'

export type Page<Row> = { rows: Row[]; hasMore: boolean }
export type ListState = 'loading' | 'ready' | 'failed'

/**
 * A list that stays current while a component shows it. The first mount joins and loads, the last unmount leaves.
 * `ids` changes only when the order does; `row(id)` changes alone, so one changed row renders one row. After the
 * unmount the rows stay until the list is mounted again and a new first page arrives.
 */
export type Collection<Row> = {
  ids: Atom<readonly number[]>
  row: (id: number) => Atom<Row>
  state: Atom<ListState>
  error: Atom<unknown>
  hasMore: Atom<boolean>
  /** Loads the next page; does nothing while a page is loading. */
  more: WritableAtom<null, [], Promise<void>>
  /** Loads the first pages again, in place; “try again” uses it too. */
  reload: WritableAtom<null, [], Promise<void>>
  /** Applies the result of a call before its live update arrives. */
  apply: WritableAtom<null, [Change<Row>[]], void>
  /** Every row, for short lists that are shown whole. Never use it for tickets or messages. */
  all: Atom<Row[]>
}

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
}

/** After a reconnect at most these pages reload; a chat keeps its older rows for a reader there. */
const mostReloadedPages = 10

export function createLiveCollection<Row extends { id: number }>(
  of: CollectionOf<Row>,
  connection: LiveConnection = live,
): Collection<Row> {
  const { belongs = () => true, order, grows = 'down', pageSize: size = pageSize } = of
  const rowAtoms = atomFamily((_: number) => atom<Row>(null as unknown as Row)) // set before its id is in ids
  const idsAtom = atom<readonly number[]>([])
  const state = atom<ListState>('loading')
  const error = atom<unknown>(null)
  const hasMore = atom(false)
  let loading: Promise<void> | null = null
  let loadGeneration = 0 // a page requested before the last reload is ignored
  /** Changes that arrived while a page was loading; they are newer than the page. */
  let changesDuringLoad: Map<number, Change<Row>> | null = null
  /** Those changes that are stored but were not visible when the page was requested. */
  let pendingChanges = new Map<number, Change<Row>>()
  const removedIds = new Set<number>()
  let retry: (() => void) | null = null
  let retryTimer: ReturnType<typeof setTimeout> | undefined

  const insertionIndex = (get: Getter, ids: readonly number[], row: Row): number => {
    if (!order) return grows === 'up' ? ids.length : 0
    let low = 0
    let high = ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (order(get(rowAtoms(ids[middle]!)), row) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
  const applyOne = (get: Getter, set: Setter, ids: number[], change: Change<Row>): void => {
    const id = idOf(change)
    const at = ids.indexOf(id)
    if (change.op === 'drop' || !belongs(change.row)) {
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
    const to = insertionIndex(get, ids, change.row)
    const beyond = get(hasMore) && order && to === (grows === 'up' ? 0 : ids.length)
    if (beyond && at < 0) return // it belongs to a page that has not loaded yet
    set(rowAtoms(id), change.row)
    ids.splice(to, 0, id)
  }
  /** A removed row stays rendered until its list renders, so its atom is released one turn later. */
  const releaseRemovedRows = () => {
    for (const id of removedIds) rowAtoms.remove(id)
    removedIds.clear()
  }
  const applyAll = (get: Getter, set: Setter, changes: Change<Row>[]) => {
    for (const change of changes) changesDuringLoad?.set(idOf(change), change)
    if (get(state) !== 'ready' && changesDuringLoad) return // the change waits for the first page
    releaseRemovedRows()
    const before = get(idsAtom)
    const ids = [...before]
    for (const change of changes) applyOne(get, set, ids, change)
    if (ids.length !== before.length || ids.some((id, index) => id !== before[index])) set(idsAtom, ids)
  }
  const addPage = (get: Getter, set: Setter, page: Page<Row>, kept: readonly number[], first = false) => {
    releaseRemovedRows()
    const changed = changesDuringLoad ?? new Map<number, Change<Row>>()
    for (const row of page.rows) {
      const awaited = pendingChanges.get(row.id)
      if (awaited && changed.get(row.id) === awaited && reconcile(of.topic.name, { op: 'put', row }) !== awaited) changed.delete(row.id)
    }
    const known = new Set(kept)
    const newRows = page.rows.filter(({ id }) => !known.has(id) && !changed.has(id))
    for (const row of newRows) {
      removedIds.delete(row.id)
      set(rowAtoms(row.id), row)
    }
    const ids = newRows.map(({ id }) => id)
    const next = grows === 'up' && !first ? [...ids, ...kept] : [...kept, ...ids]
    set(hasMore, page.hasMore)
    if (first) {
      const staying = new Set([...next, ...changed.keys()])
      for (const id of get(idsAtom)) if (!staying.has(id)) removedIds.add(id)
      for (const change of changed.values()) applyOne(get, set, next, change)
    }
    set(idsAtom, next)
    return newRows.length
  }

  async function load(get: Getter, set: Setter, run: (mine: number) => Promise<void>) {
    const mine = ++loadGeneration
    pendingChanges = new Map(pendingChangesOf(of.topic.name).map((change) => [idOf(change), change]))
    changesDuringLoad = new Map(pendingChanges)
    clearTimeout(retryTimer)
    try {
      await run(mine)
      if (mine !== loadGeneration) return
      set(error, null)
      set(state, 'ready')
    } catch (failure) {
      if (mine !== loadGeneration) return
      set(error, failure)
      if (retry && isTransient(failure)) retryTimer = setTimeout(retry, againAfter)
      if (get(state) !== 'ready' || get(idsAtom).length === 0) set(state, 'failed')
    } finally {
      if (mine === loadGeneration) {
        changesDuringLoad = null
        loading = null
      }
    }
  }
  const loadFirstPages = (get: Getter, set: Setter, keeps = false) => {
    const pages = Math.min(mostReloadedPages, Math.max(1, Math.ceil(get(idsAtom).length / size)))
    loading = load(get, set, async (mine) => {
      const all: Row[] = []
      let last: Page<Row> = { rows: [], hasMore: true }
      for (let page = 1; page <= pages && last.hasMore; page++) {
        last = await of.load(page)
        if (grows === 'up') all.unshift(...last.rows)
        else all.push(...last.rows)
      }
      if (mine !== loadGeneration) return
      const seen = new Set<number>()
      const rows = all.filter(({ id }) => !seen.has(id) && seen.add(id))
      const oldest = keeps && grows === 'up' && last.hasMore ? rows[0] : undefined
      const before = oldest ? get(idsAtom).slice(0, Math.max(0, get(idsAtom).indexOf(oldest.id))) : []
      const older = before.filter((id) => !seen.has(id))
      addPage(get, set, { rows, hasMore: older.length > 0 ? get(hasMore) : last.hasMore }, older, true)
    })
    return loading
  }
  const reload = atom(null, (get, set) => {
    if (get(state) === 'failed') set(state, 'loading')
    return loadFirstPages(get, set)
  })
  const more = atom(null, (get, set) => {
    if (loading) return loading
    if (!get(hasMore)) return Promise.resolve()
    loading = load(get, set, async (mine) => {
      // Added and removed rows shift the page borders: continue from the length of the list and skip known rows.
      for (let page = Math.floor(get(idsAtom).length / size) + 1; ; page++) {
        const next = await of.load(page)
        if (mine !== loadGeneration || addPage(get, set, next, get(idsAtom)) > 0 || !next.hasMore) return
      }
    })
    return loading
  })
  const apply = atom(null, (get, set, changes: Change<Row>[]) => applyAll(get, set, changes))

  type Update = { frames: Frame[] } | { awaited: Change<Row> } | 'reload' | 'again'
  const ids = atom(
    (get) => get(idsAtom),
    (get, set, update: Update) => {
      if (update === 'again') return void loadFirstPages(get, set, true)
      if (update !== 'reload' && 'awaited' in update) return set(apply, [update.awaited])
      if (update === 'reload' || update.frames.some(({ action }) => action === 'refresh')) return void set(reload)
      set(
        apply,
        update.frames.flatMap((frame) => {
          const change = read<Row>(of.topic, frame)
          return change ? [reconcile(of.topic.name, change)] : []
        }),
      )
    },
  )
  ids.onMount = (update) => {
    retry = () => update('again')
    const ends = [
      connection.subscribe(of.topic.name, (frames) => update({ frames })),
      connection.onReconnect(() => update('again')),
      onPendingChange(of.topic.name, (awaited) => update({ awaited })),
      ...(of.room ? [connection.join(of.room)] : []),
    ]
    update('reload')
    return () => {
      for (const end of ends) end()
      clearTimeout(retryTimer)
      retry = null
      loadGeneration++ // pages in flight are ignored
      loading = null
      changesDuringLoad = null
    }
  }
  const all = atom((get) => get(ids).map((id) => get(rowAtoms(id))))
  return { ids, row: rowAtoms, state, error, hasMore, more, reload, apply, all }
}

function read<Row extends { id: number }>({ field }: Topic<Row>, frame: Frame): Change<Row> | null {
  const row = frame[field] as Row | undefined
  if (frame.action === 'delete') return { op: 'drop', id: Number(frame.id) }
  return row ? { op: 'put', row } : null
}

const hiddenStatuses = [403, 404, 410]
/** One row that stays current while it is shown. gone: it was deleted or is no longer visible. */
export type LiveRow<Row> = { state: ListState | 'gone'; row: Row | null; error: unknown }
export function createLiveRow<Row extends { id: number }>(
  of: { topic: Topic<Row>; load: () => Promise<Row>; belongs: (row: Row) => boolean; room?: Room },
  connection: LiveConnection = live,
): Atom<LiveRow<Row>> & { reload: WritableAtom<null, [], Promise<void>>; apply: WritableAtom<null, [Change<Row>[]], void> } {
  let shows = false
  /** A row that was shown and is now refused is gone: its live update was missed. */
  const load = async (): Promise<Page<Row>> => {
    try {
      const row = await of.load()
      shows = true
      return { rows: [row], hasMore: false }
    } catch (failure) {
      if (!shows || !(failure instanceof ApiError && hiddenStatuses.includes(failure.status))) throw failure
      return { rows: [], hasMore: false }
    }
  }
  const list = createLiveCollection<Row>({ ...of, load }, connection)
  const rowState = atom((get): LiveRow<Row> => {
    const [id] = get(list.ids)
    const state = get(list.state)
    if (id !== undefined) return { state: 'ready', row: get(list.row(id)), error: null }
    return { state: state === 'ready' ? 'gone' : state, row: null, error: get(list.error) }
  })
  return Object.assign(rowState, { reload: list.reload, apply: list.apply })
}

/** Collections by their filter. The most recently used ones keep their rows. */
export const createLiveCollections = <Row, Key>(make: (key: Key) => Collection<Row>, most = 12): ((key: Key) => Collection<Row>) =>
  createLruCache(make, most)

/** A copy of the current rows that later changes do not affect. */
export function frozen<Row>(store: { get: Getter }, { ids, row }: Collection<Row>): Collection<Row> {
  const now = store.get(ids)
  const rows = new Map(now.map((id) => [id, atom(store.get(row(id)))]))
  const still = atom(null, () => Promise.resolve())
  return {
    ids: atom(now),
    row: (id) => rows.get(id)!,
    state: atom<ListState>('ready'),
    error: atom<unknown>(null),
    hasMore: atom(false),
    more: still,
    reload: still,
    apply: atom(null, () => {}),
    all: atom(() => [...rows.values()].map((one) => store.get(one))),
  }
}
