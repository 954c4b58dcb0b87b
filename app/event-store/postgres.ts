import type pg from 'pg'
import type { Logger } from 'pino'
import { createBackoff, createLoggedBackoffOnce, type LoggedBackoff, retryTransient, withTimeout } from '#app/concurrency/retry.ts'
import { serializeEvents } from '#app/event-store/event-size.ts'
import {
  type Appended,
  ConcurrencyConflict,
  type EventStore,
  type Page,
  type Revision,
  type StoredEvent,
  Unavailable,
} from '#app/event-store/event-store.ts'
import { createTailCache } from '#app/event-store/tail-cache.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import { listen } from '#app/postgres/listen.ts'
import { createBatchLoader } from '#projections/batch-loader.ts'
import { openPool } from '#projections/postgres.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'

export type PostgresLogOptions = {
  connectionString: string
  /** How long one statement may take. */
  callMs?: number
  /** How long an append is retried while the server is unavailable. */
  giveUpMs?: number
  /** How often a subscription polls without a notification. */
  pollMs?: number
  logger?: Logger
}

type Answer = { v: number; p: string } | { c: number }
type Row = Omit<StoredEvent, 'revision' | 'position'> & { position: string; version: number }
type Waiting = { json: string; stream: string; until: number; done: (appended: Appended) => void; failed: (error: unknown) => void }

const pageSize = 500
const streamsAtOnce = 20
const batchSize = 200
const batchBytes = 4 * 1024 * 1024
/** Below every possible position: the database owner may have inserted a row below the first assigned position. */
const beforeAll = -(2n ** 63n) - 1n

const revisionOf = (version: number): Revision => (version < 0 ? 'none' : BigInt(version))

const toStoredEvent = ({ stream, version, position, type, id, data, meta }: Row): StoredEvent => ({
  stream,
  revision: BigInt(version),
  position: BigInt(position),
  id,
  type,
  data,
  meta,
})

export async function createPostgresEventStore(options: PostgresLogOptions): Promise<EventStore> {
  const { connectionString, callMs = 5000, giveUpMs = 30_000, pollMs = 1000, logger } = options
  const createWait = createLoggedBackoffOnce(logger, 'event subscription')
  const pool = openPool({
    connectionString,
    max: 4,
    connectionTimeoutMillis: callMs,
    statement_timeout: callMs,
    query_timeout: callMs + 500,
    application_name: 'guiche event log',
    /* Every query reads by key. With custom plans, planning takes 0.15 of the 0.23 ms of a query. */
    options: '-c plan_cache_mode=force_generic_plan',
  })

  const closing = new AbortController()

  async function query<R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]> {
    if (closing.signal.aborted) throw new Unavailable('Event store is closed')
    return (await withTimeout(pool.query<R>({ name, text, values }), 2 * callMs + 1000, name)).rows
  }
  const queryWithRetry = <R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    retryTransient(
      () => query<R>(name, text, values),
      (error) => isTransient(error) && !closing.signal.aborted,
      callMs,
    )

  const appends = createAppendQueue(query, giveUpMs, closing.signal)
  const readPage = createPageReader(queryWithRetry)
  let listening: Promise<void> | null = null
  const notifications = createNotificationWaiter(pollMs)
  const { readAfter, readAfterShared } = createTailReader(query, notifications.count)

  return {
    async read(stream, from = 0n, most = Number.POSITIVE_INFINITY) {
      const events: StoredEvent[] = []
      for (;;) {
        const page = Math.min(pageSize, most - events.length)
        const rows = await readPage({ stream, from: from + BigInt(events.length), most: page })
        for (const row of rows) events.push(toStoredEvent(row))
        if (rows.length < pageSize || events.length >= most) return { events }
      }
    },

    append: appends.append,

    async *subscribe(after, prefix, signal, { together } = { together: false }): AsyncGenerator<Page> {
      const stop = AbortSignal.any([signal, closing.signal])
      listening ??= listen(connectionString, 'events', notifications.onNotification, closing.signal)
      yield* followPages(
        { after, prefix, stop, wait: createWait(createBackoff(100, 5000)) },
        notifications,
        together ? readAfterShared : readAfter,
      )
    },

    async readHeadPosition(prefix) {
      const text = 'select position from event where starts_with(stream, $1) order by position desc limit 1'
      const [row] = prefix
        ? await queryWithRetry<{ position: string | null }>('head_of', text, [prefix])
        : await queryWithRetry<{ position: string | null }>('head', 'select max(position) as position from event', [])
      return row?.position == null ? null : BigInt(row.position)
    },

    async close() {
      await ignoreErrors(withTimeout(appends.close(), 2 * callMs, 'the last commit'), 'each append reports its own error')
      closing.abort()
      await ignoreErrors(withTimeout(Promise.all([listening, pool.end()]), callMs, 'closing'), 'the process ends')
    },
  }
}

type Following = { after: bigint | null; prefix: string; stop: AbortSignal; wait: LoggedBackoff }
/** Yields the pages after a position until `stop` aborts, and retries transient errors. */
async function* followPages(
  { after, prefix, stop, wait }: Following,
  notifications: ReturnType<typeof createNotificationWaiter>,
  readAfter: (at: bigint, prefix: string) => Promise<EventsAfter>,
): AsyncGenerator<Page> {
  let at = after ?? beforeAll
  let reported = false
  try {
    while (!stop.aborted) {
      const since = notifications.count()
      let page: EventsAfter
      try {
        page = await readAfter(at, prefix)
        wait.over()
      } catch (error) {
        if (stop.aborted) return
        if (!isTransient(error)) throw error
        await wait.pause(error, stop)
        continue
      }
      const { rows, end: caughtUp } = page
      at = rows.at(-1)?.position ?? (at === beforeAll ? 0n : at)
      if (stop.aborted) return
      if (rows.length > 0 || (caughtUp && !reported)) {
        reported = caughtUp
        yield { events: rows.filter(({ stream }) => stream.startsWith(prefix)), position: at, caughtUp }
      }
      if (caughtUp) await notifications.wait(since, stop)
    }
  } finally {
    wait.leave()
  }
}

type Query = <R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<R[]>

/** Commits the appends of the same moment together, in the order of their calls. */
function createAppendQueue(query: Query, giveUpMs: number, closing: AbortSignal) {
  const queue: Waiting[] = []
  let flushing: Promise<void> | null = null
  let closed = false

  async function commit(batch: Waiting[]): Promise<void> {
    const text = 'select append_events($1::jsonb) as answers'
    const [row] = await query<{ answers: Answer[] }>('append_events', text, [`[${batch.map(({ json }) => json).join()}]`])
    for (const [i, { stream, done, failed }] of batch.entries()) {
      const answer = row!.answers[i]!
      if ('c' in answer) failed(new ConcurrencyConflict(stream, revisionOf(answer.c)))
      else done({ position: BigInt(answer.p), revision: BigInt(answer.v) })
    }
  }

  async function flush(): Promise<void> {
    const wait = createBackoff(50, 2000)
    // Appends of the same moment share the first commit too.
    await null
    for (let batch = takeBatch(queue); batch.length > 0; batch = takeBatch(queue)) {
      try {
        await commit(batch)
        wait.reset()
      } catch (error) {
        if (isTransient(error)) {
          // Whether the batch was written is unknown. A retry is harmless: the ids and revisions are the same.
          queue.unshift(...batch)
          await wait.pause(closing)
          expire(error)
        } else await commitOneByOne(batch)
      }
    }
    flushing = null
  }

  /** Keeps one invalid append from failing the others of its batch. */
  async function commitOneByOne(batch: Waiting[]): Promise<void> {
    for (const [i, one] of batch.entries()) {
      try {
        await commit([one])
      } catch (error) {
        if (isTransient(error)) return void queue.unshift(...batch.slice(i))
        one.failed(error)
      }
    }
  }

  function expire(error: unknown): void {
    const now = closed ? Number.POSITIVE_INFINITY : Date.now()
    const left = queue.splice(0).filter(({ until, failed }) => until > now || failed(new Unavailable(String(error), { cause: error })))
    queue.push(...left)
  }

  const append: EventStore['append'] = (stream, expected, events) => {
    return new Promise<Appended>((done, failed) => {
      if (closed) throw new Unavailable('Event store is closed')
      const pieces = serializeEvents(stream, events).map(
        ({ data, meta }, i) => `{"i":${JSON.stringify(events[i]!.id)},"t":${JSON.stringify(events[i]!.type)},"d":${data},"m":${meta}}`,
      )
      const json = `{"s":${JSON.stringify(stream)},"e":${expected === 'none' ? -1 : expected},"ev":[${pieces.join()}]}`
      queue.push({ json, stream, until: Date.now() + giveUpMs, done, failed })
      flushing ??= flush()
    })
  }
  return {
    append,
    /** Accepts no more appends. Resolves when those that wait have ended. */
    close(): Promise<void> {
      closed = true
      return Promise.resolve(flushing ?? undefined)
    },
  }
}

/** Removes the next batch from the queue: the appends that arrived during the last commit. */
function takeBatch(queue: Waiting[]): Waiting[] {
  let count = 0
  for (let bytes = 0; count < Math.min(queue.length, batchSize); count += 1) {
    bytes += queue[count]!.json.length
    if (count > 0 && bytes > batchBytes) break
  }
  return queue.splice(0, count)
}

function createPageReader(queryWithRetry: Query) {
  /**
   * Reads a page of a stream. Requests of the same moment are read with one query.
   */
  const readPage = createBatchLoader(async (pages: { stream: string; from: bigint; most: number }[]) => {
    const text = `
      select w.n::int - 1 as n, w.stream, e.*
      from unnest($1::text[], $2::bigint[], $3::int[]) with ordinality as w(stream, first, most, n) cross join lateral (
        select position, version, type, id, data, meta from event where stream = w.stream and version >= w.first order by version limit w.most
      ) e order by w.n, e.version`
    const values = [pages.map(({ stream }) => stream), pages.map(({ from }) => from.toString()), pages.map(({ most }) => most)]
    const rows = await queryWithRetry<Row & { n: number }>('read_streams', text, values)
    const own = Map.groupBy(rows, ({ n }) => n)
    return pages.map((_, i) => own.get(i) ?? [])
  }, streamsAtOnce)
  return readPage
}

/** Counts notifications, and wakes a subscription at the next one or after `pollMs`. */
function createNotificationWaiter(pollMs: number) {
  let notifications = 0
  const sleepers = new Set<() => void>()
  const onNotification = () => {
    notifications += 1
    for (const wake of sleepers) wake()
  }
  const waitForNotification = (since: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (notifications !== since || signal.aborted) return resolve()
      const wake = () => {
        clearTimeout(timer)
        sleepers.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      const timer = setTimeout(wake, pollMs)
      sleepers.add(wake)
      signal.addEventListener('abort', wake)
    })
  return { count: () => notifications, onNotification, wait: waitForNotification }
}

type EventsAfter = { rows: StoredEvent[]; end: boolean }
function createTailReader(query: Query, count: () => number) {
  /**
   * Reads the events after a position; `end`: there were no more. Rows of other streams come without their data, because they only
   * advance the position.
   */
  async function readAfter(at: bigint, prefix: string): Promise<EventsAfter> {
    const text = `select position, stream, version, type, id, case when starts_with(stream, $2) then data end as data,
      case when starts_with(stream, $2) then meta end as meta from event where position >= $1 order by position limit $3`
    const rows = (await query<Row>('follow', text, [(at + 1n).toString(), prefix, pageSize])).map(toStoredEvent)
    return { rows, end: rows.length < pageSize }
  }
  const tail = createTailCache(async (after) => (await readAfter(after, '')).rows, pageSize, count)
  /** The same through the tail cache, which all subscriptions of the process share. */
  async function readAfterShared(at: bigint, prefix: string): Promise<EventsAfter> {
    if (tail.eventsAfter(at)?.length === 0) await tail.refresh()
    const known = tail.eventsAfter(at)
    if (known) return { rows: known, end: tail.completeUpTo() === count() }
    const found = await readAfter(at, prefix)
    if (found.end) tail.start(found.rows.at(-1)?.position ?? at)
    return found
  }
  return { readAfter, readAfterShared }
}
