import { type Atom, atom, type Getter, type Setter, type WritableAtom } from 'jotai'
import { atomFamily } from 'jotai-family'
import { pageSize } from '#domain/answers.ts'
import type { Frame, Room } from '#domain/live/contract.ts'
import type { Topic } from '#domain/topic.ts'
import { ApiError } from './api.ts'
import { awaitedOf, type Change, hearAwaited, idOf, newest } from './pending-changes.ts'
import { type Line, live } from './socket.ts'
import { againAfter, isTransient } from './transient.ts'
import { recent } from './ui/lru-cache.ts'

export type Page<Row> = { rows: Row[]; hasMore: boolean }
export type ListState = 'loading' | 'ready' | 'failed'

/**
 * A list that stays true while something shows it: the first mount joins and loads, the last unmount leaves.
 * `ids` is the order and changes only when it does; `row(id)` changes alone, so that one changed row draws one row.
 * What it last held stays until it is mounted again and the fresh page has come.
 */
export type Collection<Row> = {
  ids: Atom<readonly number[]>
  row: (id: number) => Atom<Row>
  state: Atom<ListState>
  error: Atom<unknown>
  hasMore: Atom<boolean>
  /** The next page; does nothing while one is on its way. */
  more: WritableAtom<null, [], Promise<void>>
  /** Loads again from the first page, in place; also what 'try again' does. */
  reload: WritableAtom<null, [], Promise<void>>
  /** For what a call answered: it stands in the list before its frame comes. */
  apply: WritableAtom<null, [Change<Row>[]], void>
  /** Every row, for short lists that are shown whole. Never for tickets or messages. */
  all: Atom<Row[]>
}

export type CollectionOf<Row> = {
  topic: Topic<Row>
  load: (pageNumber: number) => Promise<Page<Row>>
  room?: Room
  /** Whether a changed row stands in this list. */
  belongs?: (row: Row) => boolean
  /** Without it new rows come on top and the others keep their place. */
  order?: (a: Row, b: Row) => number
  /** Where further pages join: below, or above as in a chat. */
  grows?: 'down' | 'up'
  pageSize?: number
}

/** What a chat holds beyond them stays as it is where the line was away, for whoever reads there. */
const mostPagesAgain = 10

export function createLiveCollection<Row extends { id: number }>(of: CollectionOf<Row>, line: Line = live): Collection<Row> {
  const { belongs = () => true, order, grows = 'down', pageSize: size = pageSize } = of
  const family = atomFamily((_: number) => atom<Row>(null as unknown as Row)) // set before its id is in ids
  const order_ = atom<readonly number[]>([])
  const state = atom<ListState>('loading')
  const error = atom<unknown>(null)
  const hasMore = atom(false)
  let loading: Promise<void> | null = null
  let era = 0 // a page asked for before the last reload is nobody's
  /** What changed while a page was on its way: newer than the page. */
  let touched: Map<number, Change<Row>> | null = null
  /** Of these, what is stored and the server did not show when the page was asked for. */
  let awaits = new Map<number, Change<Row>>()
  const gone = new Set<number>()
  let again: (() => void) | null = null
  let waits: ReturnType<typeof setTimeout> | undefined

  const place = (get: Getter, ids: readonly number[], row: Row): number => {
    if (!order) return grows === 'up' ? ids.length : 0
    let low = 0
    let high = ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (order(get(family(ids[middle]!)), row) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }
  const changed = (get: Getter, set: Setter, ids: number[], change: Change<Row>): void => {
    const id = idOf(change)
    const at = ids.indexOf(id)
    if (change.op === 'drop' || !belongs(change.row)) {
      if (at < 0) return
      ids.splice(at, 1)
      gone.add(id)
      return
    }
    gone.delete(id)
    if (at >= 0 && (!order || order(get(family(id)), change.row) === 0)) {
      set(family(id), change.row)
      return
    }
    if (at >= 0) ids.splice(at, 1)
    const to = place(get, ids, change.row)
    const beyond = get(hasMore) && order && to === (grows === 'up' ? 0 : ids.length)
    if (beyond && at < 0) return // it stands on a page that has not come yet
    set(family(id), change.row)
    ids.splice(to, 0, id)
  }
  /** A row that left is still drawn until its list is: it is let go one turn later. */
  const sweep = () => {
    for (const id of gone) family.remove(id)
    gone.clear()
  }
  const applied = (get: Getter, set: Setter, changes: Change<Row>[]) => {
    for (const change of changes) touched?.set(idOf(change), change)
    if (get(state) !== 'ready' && touched) return // it waits for the first page
    sweep()
    const before = get(order_)
    const ids = [...before]
    for (const change of changes) changed(get, set, ids, change)
    if (ids.length !== before.length || ids.some((id, index) => id !== before[index])) set(order_, ids)
  }
  const landed = (get: Getter, set: Setter, page: Page<Row>, kept: readonly number[], first = false) => {
    sweep()
    const late = touched ?? new Map<number, Change<Row>>()
    for (const row of page.rows) {
      const awaited = awaits.get(row.id)
      if (awaited && late.get(row.id) === awaited && newest(of.topic.name, { op: 'put', row }) !== awaited) late.delete(row.id)
    }
    const known = new Set(kept)
    const come = page.rows.filter(({ id }) => !known.has(id) && !late.has(id))
    for (const row of come) {
      gone.delete(row.id)
      set(family(row.id), row)
    }
    const ids = come.map(({ id }) => id)
    const next = grows === 'up' && !first ? [...ids, ...kept] : [...kept, ...ids]
    set(hasMore, page.hasMore)
    if (first) {
      const staying = new Set([...next, ...late.keys()])
      for (const id of get(order_)) if (!staying.has(id)) gone.add(id)
      for (const change of late.values()) changed(get, set, next, change)
    }
    set(order_, next)
    return come.length
  }

  async function load(get: Getter, set: Setter, run: (mine: number) => Promise<void>) {
    const mine = ++era
    awaits = new Map(awaitedOf(of.topic.name).map((change) => [idOf(change), change]))
    touched = new Map(awaits)
    clearTimeout(waits)
    try {
      await run(mine)
      if (mine !== era) return
      set(error, null)
      set(state, 'ready')
    } catch (failure) {
      if (mine !== era) return
      set(error, failure)
      if (again && isTransient(failure)) waits = setTimeout(again, againAfter)
      if (get(state) !== 'ready' || get(order_).length === 0) set(state, 'failed')
    } finally {
      if (mine === era) {
        touched = null
        loading = null
      }
    }
  }
  const fresh = (get: Getter, set: Setter, keeps = false) => {
    const pages = Math.min(mostPagesAgain, Math.max(1, Math.ceil(get(order_).length / size)))
    loading = load(get, set, async (mine) => {
      const all: Row[] = []
      let last: Page<Row> = { rows: [], hasMore: true }
      for (let page = 1; page <= pages && last.hasMore; page++) {
        last = await of.load(page)
        if (grows === 'up') all.unshift(...last.rows)
        else all.push(...last.rows)
      }
      if (mine !== era) return
      const seen = new Set<number>()
      const rows = all.filter(({ id }) => !seen.has(id) && seen.add(id))
      const oldest = keeps && grows === 'up' && last.hasMore ? rows[0] : undefined
      const before = oldest ? get(order_).slice(0, Math.max(0, get(order_).indexOf(oldest.id))) : []
      const older = before.filter((id) => !seen.has(id))
      landed(get, set, { rows, hasMore: older.length > 0 ? get(hasMore) : last.hasMore }, older, true)
    })
    return loading
  }
  const reload = atom(null, (get, set) => {
    if (get(state) === 'failed') set(state, 'loading')
    return fresh(get, set)
  })
  const more = atom(null, (get, set) => {
    if (loading) return loading
    if (!get(hasMore)) return Promise.resolve()
    loading = load(get, set, async (mine) => {
      // Rows that came or left have moved the others over the pages' borders: go on from where the list stands, skip what is known.
      for (let page = Math.floor(get(order_).length / size) + 1; ; page++) {
        const next = await of.load(page)
        if (mine !== era || landed(get, set, next, get(order_)) > 0 || !next.hasMore) return
      }
    })
    return loading
  })
  const apply = atom(null, (get, set, changes: Change<Row>[]) => applied(get, set, changes))

  type Order = { frames: Frame[] } | { awaited: Change<Row> } | 'reload' | 'again'
  const ids = atom(
    (get) => get(order_),
    (get, set, update: Order) => {
      if (update === 'again') return void fresh(get, set, true)
      if (update !== 'reload' && 'awaited' in update) return set(apply, [update.awaited])
      if (update === 'reload' || update.frames.some(({ action }) => action === 'refresh')) return void set(reload)
      set(
        apply,
        update.frames.flatMap((frame) => {
          const change = read<Row>(of.topic, frame)
          return change ? [newest(of.topic.name, change)] : []
        }),
      )
    },
  )
  ids.onMount = (tell) => {
    again = () => tell('again')
    const ends = [
      line.hear(of.topic.name, (frames) => tell({ frames })),
      line.back(() => tell('again')),
      hearAwaited(of.topic.name, (awaited) => tell({ awaited })),
      ...(of.room ? [line.join(of.room)] : []),
    ]
    tell('reload')
    return () => {
      for (const end of ends) end()
      clearTimeout(waits)
      again = null
      era++ // what is on its way is no longer awaited
      loading = null
      touched = null
    }
  }
  const all = atom((get) => get(ids).map((id) => get(family(id))))
  return { ids, row: family, state, error, hasMore, more, reload, apply, all }
}

function read<Row extends { id: number }>({ field }: Topic<Row>, frame: Frame): Change<Row> | null {
  const row = frame[field] as Row | undefined
  if (frame.action === 'delete') return { op: 'drop', id: Number(frame.id) }
  return row ? { op: 'put', row } : null
}

const outOfSight = [403, 404, 410]
/** One row that stays true while it is shown. gone: it was deleted or moved out of sight. */
export type Single<Row> = { state: ListState | 'gone'; row: Row | null; error: unknown }
export function single<Row extends { id: number }>(
  of: { topic: Topic<Row>; load: () => Promise<Row>; belongs: (row: Row) => boolean; room?: Room },
  line: Line = live,
): Atom<Single<Row>> & { reload: WritableAtom<null, [], Promise<void>>; apply: WritableAtom<null, [Change<Row>[]], void> } {
  let shows = false
  /** What was shown and is answered no longer has gone: the frame that said so was missed. */
  const load = async (): Promise<Page<Row>> => {
    try {
      const row = await of.load()
      shows = true
      return { rows: [row], hasMore: false }
    } catch (failure) {
      if (!shows || !(failure instanceof ApiError && outOfSight.includes(failure.status))) throw failure
      return { rows: [], hasMore: false }
    }
  }
  const list = createLiveCollection<Row>({ ...of, load }, line)
  const rowState = atom((get): Single<Row> => {
    const [id] = get(list.ids)
    const state = get(list.state)
    if (id !== undefined) return { state: 'ready', row: get(list.row(id)), error: null }
    return { state: state === 'ready' ? 'gone' : state, row: null, error: get(list.error) }
  })
  return Object.assign(rowState, { reload: list.reload, apply: list.apply })
}

/** Collections by what they are filtered with; the few that were used last keep what they held. */
export const collections = <Row, Key>(make: (key: Key) => Collection<Row>, most = 12): ((key: Key) => Collection<Row>) => recent(make, most)

/** What a list holds now, for good: whatever leaves it later stays here. */
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
