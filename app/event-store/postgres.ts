import type pg from 'pg'
import type { Logger } from 'pino'
import { createBackoff, createLoggedBackoffOnce, retryTransient, withTimeout } from '#app/concurrency/retry.ts'
import { written } from '#app/event-store/event-size.ts'
import {
  type Appended,
  Conflict,
  type EventStore,
  type Page,
  type Revision,
  type StoredEvent,
  Unavailable,
} from '#app/event-store/event-store.ts'
import { newestOf } from '#app/event-store/tail-cache.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import { listen } from '#app/postgres/listen.ts'
import { createBatchLoader } from '#projections/batch-loader.ts'
import { openPool } from '#projections/postgres.ts'

export type PostgresLogOptions = {
  connectionString: string
  /** How long one statement may take. */
  callMs?: number
  /** How long an append is tried again while the server is away. */
  giveUpMs?: number
  /** How often a follower looks without having been told. */
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
/** Below every position that a row can have: who owns the database may have put one below the first that was given out. */
const beforeAll = -(2n ** 63n) - 1n

const revisionOf = (version: number): Revision => (version < 0 ? 'none' : BigInt(version))

const logged = ({ stream, version, position, type, id, data, meta }: Row): StoredEvent => ({
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
  const waits = createLoggedBackoffOnce(logger, 'following the log')
  const pool = openPool({
    connectionString,
    max: 4,
    connectionTimeoutMillis: callMs,
    statement_timeout: callMs,
    query_timeout: callMs + 500,
    application_name: 'guiche event log',
    /* All of it is asked by key. Left to choose, Postgres plans a look-up of some keys anew each time, for longer than it takes: 0.15 of 0.23 ms. */
    options: '-c plan_cache_mode=force_generic_plan',
  })

  const closing = new AbortController()
  const queue: Waiting[] = []
  let flushing: Promise<void> | null = null
  let closed = false

  async function ask<R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<R[]> {
    if (closing.signal.aborted) throw new Unavailable('the log is closed')
    return (await withTimeout(pool.query<R>({ name, text, values }), 2 * callMs + 1000, name)).rows
  }
  const look = <R extends pg.QueryResultRow>(name: string, text: string, values: unknown[]) =>
    retryTransient(
      () => ask<R>(name, text, values),
      (error) => isTransient(error) && !closing.signal.aborted,
      callMs,
    )

  /** What queued while the last commit ran goes into the next one. */
  function take(): Waiting[] {
    let count = 0
    for (let bytes = 0; count < Math.min(queue.length, batchSize); count += 1) {
      bytes += queue[count]!.json.length
      if (count > 0 && bytes > batchBytes) break
    }
    return queue.splice(0, count)
  }

  async function commit(batch: Waiting[]): Promise<void> {
    const text = 'select append_events($1::jsonb) as answers'
    const [row] = await ask<{ answers: Answer[] }>('append_events', text, [`[${batch.map(({ json }) => json).join()}]`])
    for (const [i, { stream, done, failed }] of batch.entries()) {
      const answer = row!.answers[i]!
      if ('c' in answer) failed(new Conflict(stream, revisionOf(answer.c)))
      else done({ position: BigInt(answer.p), revision: BigInt(answer.v) })
    }
  }

  async function flush(): Promise<void> {
    const wait = createBackoff(50, 2000)
    // Appends of the same moment share the first commit too.
    await null
    for (let batch = take(); batch.length > 0; batch = take()) {
      try {
        await commit(batch)
        wait.reset()
      } catch (error) {
        if (isTransient(error)) {
          // Whether it was written is unknown; the same ids at the same place make asking again harmless.
          queue.unshift(...batch)
          await wait.pause(closing.signal)
          expire(error)
        } else await alone(batch)
      }
    }
    flushing = null
  }

  /** One poisoned append must not fail its neighbours. */
  async function alone(batch: Waiting[]): Promise<void> {
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

  /**
   * A page of a stream, and, where it is empty, the version of the stream's last event, -1 without any. Streams that are asked for at the
   * same moment are read together.
   */
  const readPage = createBatchLoader(async (pages: { stream: string; from: bigint; most: number }[]) => {
    const text = `
      select w.n::int - 1 as n, w.stream, e.*
      from unnest($1::text[], $2::bigint[], $3::int[]) with ordinality as w(stream, first, most, n) cross join lateral (
        select position, version, type, id, data, meta from event where stream = w.stream and version >= w.first order by version limit w.most
      ) e order by w.n, e.version`
    const values = [pages.map(({ stream }) => stream), pages.map(({ from }) => from.toString()), pages.map(({ most }) => most)]
    const rows = await look<Row & { n: number }>('read_streams', text, values)
    const own = Map.groupBy(rows, ({ n }) => n)
    return pages.map((_, i) => own.get(i) ?? [])
  }, streamsAtOnce)

  let ears: Promise<void> | null = null
  let rings = 0
  const sleepers = new Set<() => void>()
  const ring = () => {
    rings += 1
    for (const wake of sleepers) wake()
  }
  const rung = (since: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (rings !== since || signal.aborted) return resolve()
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

  type Behind = { rows: StoredEvent[]; end: boolean }
  /** What is stored behind a position; `end`: there was nothing else. Other streams' rows come without their bodies: they only move the position on. */
  async function storedBehind(at: bigint, prefix: string): Promise<Behind> {
    const text = `select position, stream, version, type, id, case when starts_with(stream, $2) then data end as data,
      case when starts_with(stream, $2) then meta end as meta from event where position >= $1 order by position limit $3`
    const rows = (await ask<Row>('follow', text, [(at + 1n).toString(), prefix, pageSize])).map(logged)
    return { rows, end: rows.length < pageSize }
  }
  const newest = newestOf(
    async (after) => (await storedBehind(after, '')).rows,
    pageSize,
    () => rings,
  )
  /** The same for all who follow together. */
  async function newestBehind(at: bigint, prefix: string): Promise<Behind> {
    if (newest.behind(at)?.length === 0) await newest.look()
    const known = newest.behind(at)
    if (known) return { rows: known, end: newest.seen() === rings }
    const found = await storedBehind(at, prefix)
    if (found.end) newest.begin(found.rows.at(-1)?.position ?? at)
    return found
  }

  return {
    async read(stream, from = 0n, most = Number.POSITIVE_INFINITY) {
      const events: StoredEvent[] = []
      for (;;) {
        const page = Math.min(pageSize, most - events.length)
        const rows = await readPage({ stream, from: from + BigInt(events.length), most: page })
        for (const row of rows) events.push(logged(row))
        if (rows.length < pageSize || events.length >= most) return { events }
      }
    },

    append(stream, expected, events) {
      return new Promise<Appended>((done, failed) => {
        if (closed) throw new Unavailable('the log is closed')
        const pieces = written(stream, events).map(
          ({ data, meta }, i) => `{"i":${JSON.stringify(events[i]!.id)},"t":${JSON.stringify(events[i]!.type)},"d":${data},"m":${meta}}`,
        )
        const json = `{"s":${JSON.stringify(stream)},"e":${expected === 'none' ? -1 : expected},"ev":[${pieces.join()}]}`
        queue.push({ json, stream, until: Date.now() + giveUpMs, done, failed })
        flushing ??= flush()
      })
    },

    async *subscribe(after, prefix, signal, { together } = { together: false }): AsyncGenerator<Page> {
      const stop = AbortSignal.any([signal, closing.signal])
      ears ??= listen(connectionString, 'events', ring, closing.signal)
      const wait = waits(createBackoff(100, 5000))
      let at = after ?? beforeAll
      let reported = false
      try {
        while (!stop.aborted) {
          const since = rings
          let page: Behind
          try {
            page = await (together ? newestBehind(at, prefix) : storedBehind(at, prefix))
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
          if (caughtUp) await rung(since, stop)
        }
      } finally {
        wait.leave()
      }
    },

    async readHeadPosition(prefix) {
      const text = 'select position from event where starts_with(stream, $1) order by position desc limit 1'
      const [row] = prefix
        ? await look<{ position: string | null }>('head_of', text, [prefix])
        : await look<{ position: string | null }>('head', 'select max(position) as position from event', [])
      return row?.position == null ? null : BigInt(row.position)
    },

    async close() {
      closed = true
      await withTimeout(Promise.resolve(flushing), 2 * callMs, 'the last commit').catch(() => undefined)
      closing.abort()
      await withTimeout(Promise.all([ears, pool.end()]), callMs, 'closing').catch(() => undefined)
    },
  }
}
