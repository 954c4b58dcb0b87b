import type { Kysely } from 'kysely'
import type { TypedMessage } from '#domain/decider.ts'
import type { StreamCategory } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import type { PersistedEvent } from '#projections/projector.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { appendToParked, findParkedStreams, resumeParked } from './parked-streams.ts'
import { moveCheckpoint, type ProcessorOptions } from './run-processor.ts'

/** Event type → reaction: a command, a job or a row. A reaction may run twice and must be idempotent; its ids derive from the cause. */
export type Reactor<E extends TypedMessage, Deps> = {
  name: string
  /** The stream category that the reactor subscribes to. */
  of: StreamCategory<E>
  on: { [N in E['type']]?: (event: PersistedEvent<Extract<E, { type: N }>>, deps: Deps) => Promise<unknown> }
  /** The stream that this event's stream continues, if any. Events of that stream are processed first. */
  goesOn?: (event: PersistedEvent<E>) => string | null
}

const checkpointDelayMs = 200
const restMs = 20
const noStreams = new Set<string>()

/** Processes streams in parallel and the events of one stream in order. A stream that continues another one parked for it. */
export function reactorProcessor<E extends TypedMessage, Deps>(
  reactor: Reactor<E, Deps>,
  deps: Deps,
  db: Kysely<Database>,
): ProcessorOptions {
  const of = { name: reactor.name, of: reactor.of, version: 1 }
  const react = (event: PersistedEvent<TypedMessage>) => reactor.on[event.type as E['type']]?.(event as never, deps)
  let processed: { events: PersistedEvent<TypedMessage>[]; position: bigint } | null = null
  /* Reactions may repeat after a crash, so the checkpoint is written later, once for many pages. */
  function moveCheckpointLater(events: PersistedEvent<TypedMessage>[], position: bigint): void {
    if (processed === null)
      setTimeout(() => {
        const last = processed
        processed = null
        if (last) void ignoreErrors(moveCheckpoint(db, of, last.events, last.position), 'the next page moves the checkpoint')
      }, checkpointDelayMs).unref()
    processed = { events, position }
  }
  return {
    ...of,
    from: 'head',
    restMs,
    opens: (type) => type in reactor.on,
    async apply(events, position) {
      const relevant = events.filter(({ type }) => type in reactor.on)
      const parked = relevant.length > 0 ? await findParkedStreams(db, of.name) : noStreams
      if (parked.size > 0) await appendToParked(db, of.name, relevant, parked)
      const byStream = Map.groupBy(
        relevant.filter(({ stream }) => !parked.has(stream)),
        ({ stream }) => stream,
      )
      const done = new Map<string, Promise<void>>()
      for (const [stream, own] of byStream) {
        const predecessors = own.map((event) => done.get(reactor.goesOn?.(event as PersistedEvent<E>) ?? ''))
        done.set(
          stream,
          (async () => {
            await Promise.all(predecessors)
            for (const event of own) await react(event)
          })(),
        )
      }
      await Promise.all(done.values())
      if (events.length === 0) await moveCheckpoint(db, of, events, position)
      else moveCheckpointLater(events, position)
    },
    async late(events, parked, next) {
      for (const event of events) await react(event)
      await resumeParked(db, parked, next)
    },
  }
}
