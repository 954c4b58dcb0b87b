import { type Atom, atom, type Getter, type WritableAtom } from 'jotai'
import type { Frame, Room } from '#domain/live/contract.ts'
import type { Topic } from '#domain/topic.ts'
import { ApiError } from './api.ts'
import { createPageLoader, type ListState } from './live-pages.ts'
import { type CollectionOf, createLiveRows, type Page } from './live-rows.ts'
import { type Change, onPendingChange, reconcile } from './pending-changes.ts'
import { type LiveConnection, live } from './socket.ts'
import { createLruCache } from './ui/lru-cache.ts'

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
  /** There are newer rows below that are not loaded, because the list begins at an older row. */
  hasNewer: Atom<boolean>
  /** The number of new rows that are left out until the list is loaded again. */
  hidden: Atom<number>
  /** Loads the next page; does nothing while a page is loading. */
  more: WritableAtom<null, [], Promise<void>>
  /** Loads the next page of newer rows. */
  newer: WritableAtom<null, [], Promise<void>>
  /** Loads the rows around one, in place of the present rows. It rejects if that row does not exist; the present rows stay. */
  around: WritableAtom<null, [number], Promise<void>>
  /** Loads the first pages again, in place; “try again” uses it too. A list that began at an older row shows its newest ones. */
  reload: WritableAtom<null, [], Promise<void>>
  /** Applies the result of a call before its live update arrives. */
  apply: WritableAtom<null, [Change<Row>[]], void>
  /** Every row, for short lists that are shown whole. Never use it for tickets or messages. */
  all: Atom<Row[]>
}

export function createLiveCollection<Row extends { id: number }>(
  of: CollectionOf<Row>,
  connection: LiveConnection = live,
): Collection<Row> {
  const rows = createLiveRows(of)
  const pages = createPageLoader(of, rows)
  const reload = atom(null, (get, set) => {
    if (get(pages.state) === 'failed') set(pages.state, 'loading')
    return pages.loadFirst(get, set)
  })
  const more = atom(null, (get, set) => pages.loadNext(get, set))
  const newer = atom(null, (get, set) => pages.loadNewer(get, set))
  const around = atom(null, (get, set, id: number) => pages.loadAround(get, set, id))
  const apply = atom(null, (get, set, changes: Change<Row>[]) => pages.apply(get, set, changes))

  type Update = { frames: Frame[] } | { awaited: Change<Row> } | 'reload' | 'again'
  const ids = atom(
    (get) => get(rows.ids),
    (get, set, update: Update) => {
      if (update === 'again') return void pages.loadFirst(get, set, true)
      if (update !== 'reload' && 'awaited' in update) return set(apply, [update.awaited])
      if (update === 'reload') return void set(reload)
      if (update.frames.some(({ action }) => action === 'refresh'))
        return get(rows.hasNewer) ? void pages.loadFirst(get, set, true) : void set(reload)
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
    pages.retryWith(() => update('again'))
    const ends = [
      connection.subscribe(of.topic.name, (frames) => update({ frames })),
      connection.onReconnect(() => update('again')),
      onPendingChange(of.topic.name, (awaited) => update({ awaited })),
      ...(of.room ? [connection.join(of.room)] : []),
    ]
    update('reload')
    return () => {
      for (const end of ends) end()
      pages.stop()
    }
  }
  const all = atom((get) => get(ids).map((id) => get(rows.row(id))))
  const { state, error } = pages
  const { row, hasMore, hasNewer, hidden } = rows
  return { ids, row, state, error, hasMore, hasNewer, hidden, more, newer, around, reload, apply, all }
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
  const none = atom<Row>(null as unknown as Row) // as in a live collection
  const still = atom(null, () => Promise.resolve())
  return {
    ids: atom(now),
    row: (id) => rows.get(id) ?? none,
    state: atom<ListState>('ready'),
    error: atom<unknown>(null),
    hasMore: atom(false),
    hasNewer: atom(false),
    hidden: atom(0),
    more: still,
    newer: still,
    around: still,
    reload: still,
    apply: atom(null, () => {}),
    all: atom(() => [...rows.values()].map((one) => store.get(one))),
  }
}
