import { setTimeout as sleep } from 'node:timers/promises'
import { type Cause, type CommandMetadata, decide, fold, type TypedMessage, type WithMetadata } from '#domain/decider.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { isNothing, noReferences, type PastReferences, type StateWindow, together } from '#domain/state-window.ts'
import { type Aggregate, streamName } from '#domain/stream.ts'
import { createKeyedSerializer, type KeyedSerializer } from '../concurrency/keyed-serializer.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import type { EventMacKey } from '../crypto/event-mac-keys.ts'
import type { Clock } from '../scheduler/clock.ts'
import {
  after,
  type CachedAggregate,
  decodeForFold,
  latestCommands,
  snapshotEvery,
  stateWindowOf,
  unknown,
  usedCommandId,
  usedIdsIn,
  weightOf,
} from './aggregate-cache.ts'
import { chained, hashOf } from './chain.ts'
import { encodeEvent, fieldsOf, type Meta } from './event-codec.ts'
import { ConcurrencyConflict, type EventStore, EventTooLarge, type StoredEvent } from './event-store.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'

/** The new events, the state after them, and the position that read models must reach before a caller reads its own write. */
export type CommandResult<S, E> = {
  events: E[]
  state: S
  position: bigint
  /** The same command was executed before. */
  isDuplicate: boolean
}
export type AggregateRepository<S, C, E> = {
  /**
   * Executes a command. `commandId` is the provider's message id, the client's UUID, or derived from a cause. It is stored with each
   * event, so that a duplicate command changes nothing.
   */
  execute: (id: number, command: C & CommandMetadata, commandId: string, cause?: Cause) => Promise<CommandResult<S, E>>
  /**
   * Loads the state for reading, with the older messages that `named` refers to. `upTo`: a cached state with this revision is enough,
   * and the store is not read.
   */
  load: (companyId: number, id: number, named?: Partial<PastReferences>, upTo?: number) => Promise<S>
  /** True if the user has executed this command before. */
  wasExecuted: (companyId: number, id: number, userId: number, commandId: string) => Promise<boolean>
}

/** How long a person accepts to wait. */
const timeoutMs = 5000
const maxPauseMs = 50
const pageSize = 2000
/** Most streams are shorter than this number of events. */
const shortStreamLength = 100

type StreamRef = { companyId: number; stream: string }
type Deps = {
  eventStore: EventStore
  contactKeys: ContactKeys
  signer: EventMacKey
  snapshots: Snapshots
  clock: Clock
  mostBytes?: number
}

/**
 * read → fold → decide → append. After a conflict it decides again on the newer state; deciders are pure, so that is safe.
 * Folded states are cached up to a size limit and are never a source of truth: the append at their revision fails if they are stale.
 * A long stream is folded from its snapshot. Messages that were evicted from the state are looked up by key: before a command is
 * decided, those that it refers to, and before events are folded, those that they refer to.
 */
export function createAggregateRepository<S, C extends TypedMessage, E extends TypedMessage>(
  kind: Aggregate<S, C, E>,
  deps: Deps,
): AggregateRepository<S, C, E> {
  const { clock, mostBytes = 32 * 1024 * 1024 } = deps
  const loader = createLoader(kind, deps)
  const { none, newest, withPast } = loader
  /* This process writes to a stream one command at a time, so conflicts come only from other processes. */
  const streams = createKeyedSerializer<string>()

  const cache: StateCache<S> = createStateCache<S>(loader.window, mostBytes, (of, now) =>
    writeSnapshot(kind, deps.snapshots, { cache, streams, window: loader.window }, of, now),
  )
  const { keep } = cache
  const executeInTurn = createExecutor(kind, deps, loader, cache)

  const streamRefOf = (companyId: number, id: number): StreamRef => ({ companyId, stream: streamName(kind, companyId, id) })
  function current(of: StreamRef, named: Partial<PastReferences> = {}, commandId?: string, upTo?: number): Promise<CachedAggregate<S>> {
    return streams.run([of.stream], async () => {
      const cached = cache.get(of.stream) ?? none
      const enough = upTo !== undefined && cached.revision !== 'none' && cached.revision >= BigInt(upTo)
      const last = enough ? cached : await newest(of, cached)
      const now = await withPast(of, last, { ...noReferences, ...named }, commandId)
      keep(of, now)
      return now
    })
  }

  return {
    execute: (id, command, named, cause) => {
      const commandId = command.by.kind === 'user' ? `${command.by.id}/${named}` : named // two users may choose the same id
      const of = streamRefOf(command.companyId, id) // another company's stream does not exist
      return streams.run([of.stream], () => executeInTurn(of, { ...command, at: command.at ?? clock.iso() }, commandId, cause))
    },
    load: async (companyId, id, named, upTo) => (await current(streamRefOf(companyId, id), named, undefined, upTo)).state,
    wasExecuted: async (companyId, id, userId, named) => {
      const commandId = `${userId}/${named}`
      return (await current(streamRefOf(companyId, id), {}, commandId)).commands.has(commandId)
    },
  }
}

type Loader<S, M extends TypedMessage> = {
  window: StateWindow<S, M>
  none: CachedAggregate<S>
  /** Reads the newest state, onward from a known one. */
  newest: (of: StreamRef, from: CachedAggregate<S>) => Promise<CachedAggregate<S>>
  withPast: (of: StreamRef, now: CachedAggregate<S>, named: PastReferences, commandId?: string) => Promise<CachedAggregate<S>>
}
/** Reads and folds streams, from a snapshot if the stream is long. */
function createLoader<S, C extends TypedMessage, E extends TypedMessage>(
  kind: Aggregate<S, C, E>,
  { eventStore, snapshots }: Pick<Deps, 'eventStore' | 'snapshots'>,
): Loader<S, C | E> {
  const window = stateWindowOf(kind)
  const { needs, missing, withPastReferences } = window
  const { deserialize } = kind.snapshot
  const none = unknown(kind.initial)

  const newest = (of: StreamRef, from: CachedAggregate<S>): Promise<CachedAggregate<S>> =>
    from.revision === 'none' ? loadCold(of) : foldOnward(of, from)

  async function foldOnward(of: StreamRef, from: CachedAggregate<S>): Promise<CachedAggregate<S>> {
    for (let now = from; ; ) {
      const { events } = await eventStore.read(of.stream, now.revision === 'none' ? 0n : now.revision + 1n, pageSize)
      now = await foldEvents(of, now, events)
      if (events.length < pageSize) return now
    }
  }

  async function foldEvents(of: StreamRef, from: CachedAggregate<S>, events: StoredEvent[]): Promise<CachedAggregate<S>> {
    const facts = decodeForFold(kind, events)
    const ready = await withPast(of, from, from.base === null ? noReferences : together(facts.map(needs)))
    return ready.revision === from.revision ? after(kind, ready, events, facts) : ready
  }

  /** Reads a short stream whole. Only a longer one is worth a query for a snapshot. */
  async function loadCold(of: StreamRef): Promise<CachedAggregate<S>> {
    const { events } = await eventStore.read(of.stream, 0n, shortStreamLength)
    const short = events.length < shortStreamLength
    const snapshot = short ? null : await snapshots.newest(of)
    const from = (snapshot && (await proveSnapshot(of, snapshot))) ?? after(kind, none, events, decodeForFold(kind, events))
    return short ? from : foldOnward(of, from)
  }

  /** Uses the snapshot only if the event at its revision has the same hash. */
  async function proveSnapshot(of: StreamRef, { revision, hash, state }: Snapshot): Promise<CachedAggregate<S> | null> {
    const { events } = await eventStore.read(of.stream, revision, 1)
    const event = events[0]
    if (event?.revision !== revision || hashOf(event.meta) !== hash) return snapshots.forget(of).then(() => null)
    const { contactId = null } = event.meta as unknown as Meta
    const { position } = event
    return {
      state: deserialize(state),
      revision,
      position,
      hash,
      contactId,
      commands: new Set(),
      base: revision,
      due: revision + snapshotEvery,
    }
  }

  /** Adds the past messages that `named` refers to. If the snapshot is gone, the stream is folded again and may be at a newer revision. */
  async function withPast(of: StreamRef, now: CachedAggregate<S>, named: PastReferences, commandId?: string): Promise<CachedAggregate<S>> {
    if (now.base === null) return now
    const lacking = missing(now.state, named)
    const ids = commandId === undefined || now.commands.has(commandId) ? lacking.ids : [...lacking.ids, usedCommandId(commandId)]
    if (isNothing({ ...lacking, ids })) return now
    const found = await snapshots.recall(of, now.base, { ...lacking, ids })
    if (!found) return withPast(of, await loadCold(of), named, commandId)
    const repeated = commandId !== undefined && found.spent.some(({ id }) => id === usedCommandId(commandId))
    return {
      ...now,
      state: withPastReferences(now.state, found.past),
      ...(repeated && { commands: new Set([...now.commands, commandId]) }),
    }
  }

  return { window, none, newest, withPast }
}

type StateCache<S> = {
  get: (stream: string) => CachedAggregate<S> | undefined
  keep: (of: StreamRef, now: CachedAggregate<S>) => void
  forget: (stream: string) => void
}
/** Keeps folded states up to `mostBytes`, the latest used. `snapshotDue`: called when a state has grown enough for a snapshot. */
function createStateCache<S>(
  window: StateWindow<S, never>,
  mostBytes: number,
  snapshotDue: (of: StreamRef, now: CachedAggregate<S>) => Promise<void>,
): StateCache<S> {
  const cache = new Map<string, CachedAggregate<S>>()
  let bytes = 0
  function keep(of: StreamRef, now: CachedAggregate<S>): void {
    const { stream } = of
    forget(stream)
    cache.set(stream, now)
    bytes += weightOf(window, now)
    for (const [eldest] of cache) {
      if (bytes <= mostBytes || eldest === stream) break
      forget(eldest)
    }
    if (now.revision === 'none' || now.revision < now.due) return
    now.due = now.revision + snapshotEvery
    void snapshotDue(of, now).catch(() => forget(stream))
  }
  function forget(stream: string): void {
    const one = cache.get(stream)
    if (one && cache.delete(stream)) bytes -= weightOf(window, one)
  }

  return { get: (stream) => cache.get(stream), keep, forget }
}

/**
 * Writes a snapshot and evicts old messages from the state. No command waits for it; changes made meanwhile are kept. If it fails, it
 * is retried later.
 */
async function writeSnapshot<S, C extends TypedMessage, E extends TypedMessage>(
  kind: Aggregate<S, C, E>,
  snapshots: Snapshots,
  {
    cache: { get, keep, forget },
    streams,
    window,
  }: { cache: StateCache<S>; streams: KeyedSerializer<string>; window: StateWindow<S, never> },
  of: StreamRef,
  then: CachedAggregate<S>,
): Promise<void> {
  const { entries, evictOld } = window
  const { revision } = then
  if (revision === 'none') return

  const snapshot = { revision, hash: then.hash, state: kind.snapshot.serialize(evictOld(then.state)) }
  const kept = await snapshots.keep(of, then.base, snapshot, entries(then.state), usedIdsIn(window, then))
  await streams.run([of.stream], async () => {
    const now = get(of.stream)
    if (now?.base !== then.base) return // it was folded again meanwhile
    if (kept === 'gone') forget(of.stream)
    if (kept !== 'kept') return
    const commands = new Set([...latestCommands(then.commands), ...[...now.commands].filter((id) => !then.commands.has(id))])
    keep(of, { ...now, state: evictOld(now.state, then.state), commands, base: revision })
  })
}

/** Decides and appends, again after each conflict. The caller runs one command of a stream at a time. */
function createExecutor<S, C extends TypedMessage, E extends TypedMessage>(
  kind: Aggregate<S, C, E>,
  { eventStore, contactKeys, signer }: Deps,
  { window: { needs }, none, newest, withPast }: Loader<S, C | E>,
  { get, keep, forget }: StateCache<S>,
) {
  const personalIn = (one: E) => fieldsOf(kind, one.type).some((field) => (one as Record<string, unknown>)[field] != null)

  async function executeInTurn(of: StreamRef, command: WithMetadata<C>, commandId: string, cause?: Cause): Promise<CommandResult<S, E>> {
    const { stream } = of
    let now = get(stream) ?? (await newest(of, none))
    for (let pauseMs = 2, end = performance.now() + timeoutMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      now = await withPast(of, now, needs(command), commandId)
      const made = now.commands.has(commandId) ? [] : decided(kind, now.state, command) // a duplicate command changes nothing
      if (made instanceof Refusal || made.length === 0) {
        const last = await newest(of, now) // a refusal or an empty decision counts only on the newest state
        keep(of, last)
        const moved = last.revision !== now.revision
        now = last
        if (moved) continue
        if (made instanceof Refusal) throw made
        return { events: [], state: now.state, position: now.position, isDuplicate: now.commands.has(commandId) }
      }
      const contactId = now.contactId ?? kind.contactOf?.(made) ?? null
      const key = contactId !== null && made.some(personalIn) ? await contactKeys.of({ companyId: command.companyId, contactId }) : null
      const first = now.revision === 'none' ? 0n : now.revision + 1n
      const ready = made.map((one) => encodeEvent(kind, stream, one, contactId, commandId, key, cause))
      const events = chained(now.hash, stream, first, ready, signer)
      forget(stream) // until the append returns, the cached state is uncertain
      try {
        const { position, revision } = await eventStore.append(stream, now.revision, events)
        const next = fold(kind, made, now.state)
        const { base, due } = now
        const commands = new Set([...now.commands, commandId])
        keep(of, { state: next, revision, position, hash: hashOf(events.at(-1)!.meta), contactId, commands, base, due })
        return { events: made, state: next, position, isDuplicate: false }
      } catch (error) {
        if (error instanceof EventTooLarge) refuse('ERR_TOO_LARGE')
        if (!(error instanceof ConcurrencyConflict)) throw error
        if (performance.now() > end) refuse('ERR_BUSY')
        await sleep(Math.random() * pauseMs)
        now = await newest(of, now) // the cached state is still valid: only new events are read
        keep(of, now)
      }
    }
  }
  return executeInTurn
}

function decided<S, C extends TypedMessage, E extends TypedMessage>(kind: Aggregate<S, C, E>, now: S, command: WithMetadata<C>) {
  try {
    return decide(kind, now, command)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
