import type { Kysely } from 'kysely'
import type { TypedMessage } from '#domain/decider.ts'
import type { StreamCategory } from '#domain/stream.ts'
import type { Database } from '#projections/database.ts'
import type { PersistedEvent } from '#projections/projector.ts'
import { parkedBy, passOver, wentOn } from './parked-streams.ts'
import { moveCheckpoint, type ProcessorOptions } from './run-processor.ts'

/** Event name → what the system does about it: a command, a job, a row. May run twice; must not matter, for ids derive from the cause. */
export type Reactor<E extends TypedMessage, Deps> = {
  name: string
  /** The kind of stream that it follows. */
  of: StreamCategory<E>
  on: { [N in E['type']]?: (event: PersistedEvent<Extract<E, { type: N }>>, deps: Deps) => Promise<unknown> }
  /** The stream that this one goes on from, where the event says so: what is in that comes first. */
  goesOn?: (event: PersistedEvent<E>) => string | null
}

const passedMs = 200
const restMs = 20
const none = new Set<string>()

/** Streams side by side, the events of one stream in their order; a stream that goes on from another behind that. */
export function reactorProcessor<E extends TypedMessage, Deps>(
  reactor: Reactor<E, Deps>,
  deps: Deps,
  db: Kysely<Database>,
): ProcessorOptions {
  const of = { name: reactor.name, of: reactor.of, version: 1 }
  const react = (event: PersistedEvent<TypedMessage>) => reactor.on[event.type as E['type']]?.(event as never, deps)
  let passed: { events: PersistedEvent<TypedMessage>[]; position: bigint } | null = null
  /* It may react again after a crash, so the checkpoint follows a little later, many pages at once. */
  function pass(events: PersistedEvent<TypedMessage>[], position: bigint): void {
    if (passed === null)
      setTimeout(() => {
        const last = passed
        passed = null
        if (last) void moveCheckpoint(db, of, last.events, last.position).catch(() => undefined)
      }, passedMs).unref()
    passed = { events, position }
  }
  return {
    ...of,
    from: 'head',
    restMs,
    opens: (type) => type in reactor.on,
    async apply(events, position) {
      const wanted = events.filter(({ type }) => type in reactor.on)
      const waits = wanted.length > 0 ? await parkedBy(db, of.name) : none
      if (waits.size > 0) await passOver(db, of.name, wanted, waits)
      const byStream = Map.groupBy(
        wanted.filter(({ stream }) => !waits.has(stream)),
        ({ stream }) => stream,
      )
      const done = new Map<string, Promise<void>>()
      for (const [stream, own] of byStream) {
        const before = own.map((event) => done.get(reactor.goesOn?.(event as PersistedEvent<E>) ?? ''))
        done.set(
          stream,
          (async () => {
            await Promise.all(before)
            for (const event of own) await react(event)
          })(),
        )
      }
      await Promise.all(done.values())
      if (events.length === 0) await moveCheckpoint(db, of, events, position)
      else pass(events, position)
    },
    async late(events, parked, next) {
      for (const event of events) await react(event)
      await wentOn(db, parked, next)
    },
  }
}
