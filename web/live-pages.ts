import { atom, type Getter, type Setter } from 'jotai'
import { pageSize } from '#domain/answers.ts'
import type { CollectionOf, LiveRows, Page } from './live-rows.ts'
import { type Change, idOf, pendingChangesOf, reconcile } from './pending-changes.ts'
import { againAfter, isTransient } from './transient.ts'

export type ListState = 'loading' | 'ready' | 'failed'

/** After a reconnect at most these pages reload; a chat keeps its older rows for a reader there. */
const mostReloadedPages = 10

type PageRequests<Row extends { id: number }> = ReturnType<typeof createPageRequests<Row>>
type Loading<Row extends { id: number }> = { of: CollectionOf<Row>; rows: LiveRows<Row>; requests: PageRequests<Row> }

/** Loads the pages of a list into its rows. Changes that arrive during a load are kept, because they are newer than the page. */
export function createPageLoader<Row extends { id: number }>(of: CollectionOf<Row>, rows: LiveRows<Row>) {
  const { grows = 'down', pageSize: size = pageSize } = of
  const requests = createPageRequests(of, rows)
  const { newerChanges, state, error, apply, retryWith, stop } = requests
  const fromRow = createLoaderFromRow({ of, rows, requests })

  /** Loads the first pages. `keepsOlder`: a list that grows upwards keeps its rows above them. */
  function loadFirst(get: Getter, set: Setter, keepsOlder = false): Promise<void> {
    const beginsAtOlder = get(rows.hasNewer)
    if (keepsOlder && beginsAtOlder) return fromRow.loadAgain(get, set)
    const count = beginsAtOlder ? 1 : Math.min(mostReloadedPages, Math.max(1, Math.ceil(get(rows.ids).length / size)))
    return requests.run(get, set, async (isCurrent) => {
      const pages = await fetchFirstPages(of, count)
      if (!isCurrent()) return
      const kept = keepsOlder && grows === 'up' && pages.hasMore ? idsAbove(pages.rows, get(rows.ids)) : []
      const hasMore = kept.length > 0 ? get(rows.hasMore) : pages.hasMore
      rows.replace(get, set, { rows: pages.rows, hasMore }, kept, newerChanges.than(pages))
    })
  }
  function loadNext(get: Getter, set: Setter): Promise<void> {
    const loading = requests.running()
    if (loading) return loading
    if (!get(rows.hasMore)) return Promise.resolve()
    return requests.run(get, set, async (isCurrent) => {
      const [first] = get(rows.ids)
      if (of.from && first !== undefined) {
        const page = await of.from.before(first)
        if (isCurrent()) rows.addPage(get, set, page, newerChanges.than(page))
        return
      }
      // Added and removed rows shift the page borders: continue from the length of the list and skip known rows.
      for (let number = Math.floor(get(rows.ids).length / size) + 1; ; number++) {
        const page = await of.load(number)
        if (!isCurrent() || rows.addPage(get, set, page, newerChanges.than(page)) > 0 || !page.hasMore) return
      }
    })
  }
  const { loadNewer } = fromRow
  async function loadAround(get: Getter, set: Setter, id: number): Promise<void> {
    if (get(state) !== 'ready') await (requests.running() ?? loadFirst(get, set))
    await fromRow.loadAround(get, set, id)
  }
  return { state, error, loadFirst, loadNext, loadNewer, loadAround, apply, retryWith, stop }
}

/** Loads pages from a row on, for a list that can begin at any row. */
function createLoaderFromRow<Row extends { id: number }>({ of, rows, requests }: Loading<Row>) {
  const { newerChanges } = requests
  const from = () => {
    if (!of.from) throw new Error('this list loads its pages only from the first one on')
    return of.from
  }
  return {
    loadNewer(get: Getter, set: Setter): Promise<void> {
      const loading = requests.running()
      if (loading) return loading
      const last = get(rows.ids).at(-1)
      if (!get(rows.hasNewer) || last === undefined) return Promise.resolve()
      return requests.run(get, set, async (isCurrent) => {
        const page = await from().since(last)
        if (isCurrent()) rows.addPage(get, set, page, newerChanges.than(page), 'newer')
      })
    },
    /**
     * Replaces the rows by a page before a row and a page from it on. If that fails, the present rows and their state
     * stay, and the caller gets the error.
     */
    async loadAround(get: Getter, set: Setter, id: number): Promise<void> {
      const pages = Promise.all([from().before(id), from().since(id)])
      await requests.run(get, set, async (isCurrent) => {
        const [before, since] = await pages.catch(() => [])
        if (!isCurrent() || !before || !since) return
        const page = { rows: [...before.rows, ...since.rows], hasMore: before.hasMore, hasNewer: since.hasMore }
        rows.replace(get, set, page, [], newerChanges.than(page))
      })
      await pages
    },
    /** Loads the present rows again; they keep their place. */
    loadAgain(get: Getter, set: Setter): Promise<void> {
      return requests.run(get, set, async (isCurrent) => {
        const hasMore = get(rows.hasMore)
        const present = get(rows.ids)
        let last = await from().since(present[0]!)
        const all = [...last.rows]
        const isWhole = () => !last.hasMore || all.some(({ id }) => id === present.at(-1))
        for (let page = 2; page <= mostReloadedPages && !isWhole(); page++) {
          last = await from().since(all.at(-1)!.id)
          all.push(...last.rows.slice(1))
        }
        if (!isCurrent()) return
        const pages = { rows: all, hasMore, hasNewer: last.hasMore }
        rows.replace(get, set, pages, [], newerChanges.than(pages))
      })
    },
  }
}

/** Runs one load at a time, and holds the state of the list and the error of the last load. */
function createPageRequests<Row extends { id: number }>({ topic }: CollectionOf<Row>, rows: LiveRows<Row>) {
  const state = atom<ListState>('loading')
  const error = atom<unknown>(null)
  let loading: Promise<void> | null = null
  let loadGeneration = 0 // a page requested before the last reload is ignored
  const newerChanges = createNewerChanges<Row>(topic.name)
  let retry: (() => void) | null = null
  let retryTimer: ReturnType<typeof setTimeout> | undefined

  async function load(get: Getter, set: Setter, work: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const mine = ++loadGeneration
    const isCurrent = () => mine === loadGeneration
    newerChanges.start()
    clearTimeout(retryTimer)
    try {
      await work(isCurrent)
      if (!isCurrent()) return
      set(error, null)
      set(state, 'ready')
    } catch (failure) {
      if (!isCurrent()) return
      set(error, failure)
      if (retry && isTransient(failure)) retryTimer = setTimeout(retry, againAfter)
      if (get(state) !== 'ready' || get(rows.ids).length === 0) set(state, 'failed')
    } finally {
      if (isCurrent()) {
        newerChanges.stop()
        loading = null
      }
    }
  }

  return {
    state,
    error,
    newerChanges,
    running: () => loading,
    run(get: Getter, set: Setter, work: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
      loading = load(get, set, work)
      return loading
    },
    apply(get: Getter, set: Setter, changes: Change<Row>[]): void {
      const isLoading = newerChanges.add(changes)
      if (get(state) !== 'ready' && isLoading) return // the change waits for the first page
      rows.apply(get, set, changes)
    },
    retryWith(again: () => void): void {
      retry = again
    },
    /** Ignores the pages in flight. */
    stop(): void {
      clearTimeout(retryTimer)
      retry = null
      loadGeneration++
      loading = null
      newerChanges.stop()
    },
  }
}

/** The changes that are newer than the page that is loading. */
function createNewerChanges<Row extends { id: number }>(topicName: string) {
  /** Changes that arrived while a page was loading; null: nothing loads. */
  let changesDuringLoad: Map<number, Change<Row>> | null = null
  /** Those changes that are stored but were not visible when the page was requested. */
  let pendingChanges = new Map<number, Change<Row>>()
  return {
    start(): void {
      pendingChanges = new Map(pendingChangesOf(topicName).map((change) => [idOf(change), change]))
      changesDuringLoad = new Map(pendingChanges)
    },
    stop(): void {
      changesDuringLoad = null
    },
    /** Keeps changes until the page has loaded. Returns whether a page is loading. */
    add(changes: Change<Row>[]): boolean {
      for (const change of changes) changesDuringLoad?.set(idOf(change), change)
      return changesDuringLoad !== null
    },
    /** A pending change that the page shows already is not newer. */
    than(page: Page<Row>): ReadonlyMap<number, Change<Row>> {
      const newer = changesDuringLoad ?? new Map<number, Change<Row>>()
      for (const row of page.rows) {
        const awaited = pendingChanges.get(row.id)
        if (awaited && newer.get(row.id) === awaited && reconcile(topicName, { op: 'put', row }) !== awaited) newer.delete(row.id)
      }
      return newer
    },
  }
}

async function fetchFirstPages<Row extends { id: number }>({ load, grows }: CollectionOf<Row>, count: number): Promise<Page<Row>> {
  const all: Row[] = []
  let last: Page<Row> = { rows: [], hasMore: true }
  for (let page = 1; page <= count && last.hasMore; page++) {
    last = await load(page)
    if (grows === 'up') all.unshift(...last.rows)
    else all.push(...last.rows)
  }
  const seen = new Set<number>()
  return { rows: all.filter(({ id }) => !seen.has(id) && seen.add(id)), hasMore: last.hasMore }
}

/** The present rows above the first of these rows. */
function idsAbove(rows: readonly { id: number }[], present: readonly number[]): number[] {
  const [oldest] = rows
  if (!oldest) return []
  const loaded = new Set(rows.map(({ id }) => id))
  return present.slice(0, Math.max(0, present.indexOf(oldest.id))).filter((id) => !loaded.has(id))
}
