import { setTimeout as sleep } from 'node:timers/promises'
import { type Cause, type CommandMetadata, decide, fold, type TypedMessage, type WithMetadata } from '#domain/decider.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { isNothing, noReferences, type PastReferences, together } from '#domain/state-window.ts'
import { type Aggregate, streamIn } from '#domain/stream.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import type { EventMacKey } from '../crypto/event-mac-keys.ts'
import type { Clock } from '../scheduler/clock.ts'
import {
  after,
  type CachedAggregate,
  factsOf,
  latest,
  memoryOf,
  snapshotEvery,
  spentBy,
  spentIn,
  unknown,
  weightOf,
} from './aggregate-cache.ts'
import { chained, hashOf } from './chain.ts'
import { encodeEvent, fieldsOf, type Meta } from './event-codec.ts'
import { Conflict, type EventStore, type StoredEvent, TooLarge } from './event-store.ts'
import type { Snapshot, Snapshots } from './snapshots.ts'

/** What came of a command: the facts it made, the state after them, and the position of its newest fact, to wait for before a row is read back. */
export type CommandResult<S, E> = {
  events: E[]
  state: S
  position: bigint
  /** The same command was asked before. */
  isDuplicate: boolean
}
export type AggregateRepository<S, C, E> = {
  /** `commandId`: the provider's message id, the client's uuid, or what derives from a cause. It stands beside every fact of it: asked again, it does nothing. */
  execute: (id: number, command: C & CommandMetadata, commandId: string, cause?: Cause) => Promise<CommandResult<S, E>>
  /**
   * The state as it stands, for reading only; of what is older than its newest messages, what is named. `upTo`: one that knows this revision
   * is enough, and the log is not asked where one is at hand.
   */
  load: (companyId: number, id: number, named?: Partial<PastReferences>, upTo?: number) => Promise<S>
  /** Whether a user asked this of it before. */
  wasExecuted: (companyId: number, id: number, userId: number, commandId: string) => Promise<boolean>
}

/** As long as a person would wait. */
const timeoutMs = 5000
const mostPauseMs = 50
const pageSize = 2000
/** As many events as most streams never have. */
const shortest = 100

type Of = { companyId: number; stream: string }
type Deps = {
  eventStore: EventStore
  contactKeys: ContactKeys
  signer: EventMacKey
  snapshots: Snapshots
  clock: Clock
  mostBytes?: number
}

/**
 * read → fold → decide → append. A lost race decides again on the newer state; deciders are pure, so that is safe.
 * Folded states are kept under their revision, bounded and never a truth: the append at that revision proves them or fails. A long stream
 * is folded on from its snapshot, and what its state has forgotten is looked up there by key: for a command by what that names, for facts
 * before they are folded.
 */
export function createAggregateRepository<S, C extends TypedMessage, E extends TypedMessage>(
  kind: Aggregate<S, C, E>,
  { eventStore, contactKeys, signer, snapshots, clock, mostBytes = 32 * 1024 * 1024 }: Deps,
): AggregateRepository<S, C, E> {
  const memory = memoryOf(kind)
  const { needs, missing, withPastReferences: recalled, entries, evictOld: forgotten } = memory
  const { written, readAgain } = kind.snapshot
  const none = unknown(kind.initial)
  const known = new Map<string, CachedAggregate<S>>()
  let bytes = 0

  const newest = (of: Of, from: CachedAggregate<S>): Promise<CachedAggregate<S>> => (from.revision === 'none' ? cold(of) : onward(of, from))

  async function onward(of: Of, from: CachedAggregate<S>): Promise<CachedAggregate<S>> {
    for (let now = from; ; ) {
      const { events } = await eventStore.read(of.stream, now.revision === 'none' ? 0n : now.revision + 1n, pageSize)
      now = await folded(of, now, events)
      if (events.length < pageSize) return now
    }
  }

  async function folded(of: Of, from: CachedAggregate<S>, events: StoredEvent[]): Promise<CachedAggregate<S>> {
    const facts = factsOf(kind, events)
    const ready = await withPast(of, from, from.base === null ? noReferences : together(facts.map(needs)))
    return ready.revision === from.revision ? after(kind, ready, events, facts) : ready
  }

  /** A short stream is read whole; only one that is longer is worth the question whether there is a snapshot. */
  async function cold(of: Of): Promise<CachedAggregate<S>> {
    const { events } = await eventStore.read(of.stream, 0n, shortest)
    const short = events.length < shortest
    const snapshot = short ? null : await snapshots.newest(of)
    const from = (snapshot && (await proven(of, snapshot))) ?? after(kind, none, events, factsOf(kind, events))
    return short ? from : onward(of, from)
  }

  /** A snapshot of this very stream: the event at its revision has its hash. */
  async function proven(of: Of, { revision, hash, state }: Snapshot): Promise<CachedAggregate<S> | null> {
    const { events } = await eventStore.read(of.stream, revision, 1)
    const event = events[0]
    if (event?.revision !== revision || hashOf(event.meta) !== hash) return snapshots.forget(of).then(() => null)
    const { contactId = null } = event.meta as unknown as Meta
    const { position } = event
    return {
      state: readAgain(state),
      revision,
      position,
      hash,
      contactId,
      commands: new Set(),
      base: revision,
      due: revision + snapshotEvery,
    }
  }

  /** With what is named of the past. Where the snapshot went that knew of it, the stream is folded anew and may be further on. */
  async function withPast(of: Of, now: CachedAggregate<S>, named: PastReferences, commandId?: string): Promise<CachedAggregate<S>> {
    if (now.base === null) return now
    const lacking = missing(now.state, named)
    const ids = commandId === undefined || now.commands.has(commandId) ? lacking.ids : [...lacking.ids, spentBy(commandId)]
    if (isNothing({ ...lacking, ids })) return now
    const found = await snapshots.recall(of, now.base, { ...lacking, ids })
    if (!found) return withPast(of, await cold(of), named, commandId)
    const repeated = commandId !== undefined && found.spent.some(({ id }) => id === spentBy(commandId))
    return {
      ...now,
      state: recalled(now.state, found.past),
      ...(repeated && { commands: new Set([...now.commands, commandId]) }),
    }
  }

  /**
   * What is known is written down, and what is old forgotten. Nobody waits for the writing: what happens meanwhile is kept. Where it fails
   * it is tried later.
   */
  async function settle(of: Of, then: CachedAggregate<S>, revision: bigint): Promise<void> {
    const snapshot = { revision, hash: then.hash, state: written(forgotten(then.state)) }
    const kept = await snapshots.keep(of, then.base, snapshot, entries(then.state), spentIn(memory, then))
    await inTurn(of.stream, async () => {
      const now = known.get(of.stream)
      if (now?.base !== then.base) return // it was folded anew meanwhile
      if (kept === 'gone') forget(of.stream)
      if (kept !== 'kept') return
      const commands = new Set([...latest(then.commands), ...[...now.commands].filter((id) => !then.commands.has(id))])
      keep(of, { ...now, state: forgotten(now.state, then.state), commands, base: revision })
    })
  }

  function keep(of: Of, now: CachedAggregate<S>): void {
    const { stream } = of
    forget(stream)
    known.set(stream, now)
    bytes += weightOf(memory, now)
    for (const [eldest] of known) {
      if (bytes <= mostBytes || eldest === stream) break
      forget(eldest)
    }
    if (now.revision === 'none' || now.revision < now.due) return
    now.due = now.revision + snapshotEvery
    void settle(of, now, now.revision).catch(() => forget(stream))
  }
  function forget(stream: string): void {
    const one = known.get(stream)
    if (one && known.delete(stream)) bytes -= weightOf(memory, one)
  }

  async function ask(of: Of, command: WithMetadata<C>, commandId: string, cause?: Cause): Promise<CommandResult<S, E>> {
    const { stream } = of
    let now = known.get(stream) ?? (await newest(of, none))
    for (let pauseMs = 2, end = performance.now() + timeoutMs; ; pauseMs = Math.min(2 * pauseMs, mostPauseMs)) {
      now = await withPast(of, now, needs(command), commandId)
      const made = now.commands.has(commandId) ? [] : decided(kind, now.state, command) // the same command again does nothing
      if (made instanceof Refusal || made.length === 0) {
        const last = await newest(of, now) // a no, or nothing to do, is only believed of the newest state
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
      forget(stream) // until the answer is there, nothing is known
      try {
        const { position, revision } = await eventStore.append(stream, now.revision, events)
        const next = fold(kind, made, now.state)
        const { base, due } = now
        const commands = new Set([...now.commands, commandId])
        keep(of, { state: next, revision, position, hash: hashOf(events.at(-1)!.meta), contactId, commands, base, due })
        return { events: made, state: next, position, isDuplicate: false }
      } catch (error) {
        if (error instanceof TooLarge) refuse('ERR_TOO_LARGE')
        if (!(error instanceof Conflict)) throw error
        if (performance.now() > end) refuse('ERR_BUSY')
        await sleep(Math.random() * pauseMs)
        now = await newest(of, now) // what was known still holds: only what is new is read
        keep(of, now)
      }
    }
  }

  const personalIn = (one: E) => fieldsOf(kind, one.type).some((field) => (one as Record<string, unknown>)[field] != null)

  /* Within this process one at a time writes to a stream: races are left to other processes. */
  const lanes = new Map<string, Promise<unknown>>()
  function inTurn<T>(stream: string, act: () => Promise<T>): Promise<T> {
    const turn = (lanes.get(stream) ?? Promise.resolve()).then(act)
    const settled: Promise<unknown> = turn.catch(() => undefined).then(() => lanes.get(stream) === settled && lanes.delete(stream))
    lanes.set(stream, settled)
    return turn
  }

  const place = (companyId: number, id: number): Of => ({ companyId, stream: streamIn(kind, companyId, id) })
  function current(of: Of, named: Partial<PastReferences> = {}, commandId?: string, upTo?: number): Promise<CachedAggregate<S>> {
    return inTurn(of.stream, async () => {
      const cached = known.get(of.stream) ?? none
      const enough = upTo !== undefined && cached.revision !== 'none' && cached.revision >= BigInt(upTo)
      const last = enough ? cached : await newest(of, cached)
      const now = await withPast(of, last, { ...noReferences, ...named }, commandId)
      keep(of, now)
      return now
    })
  }

  return {
    execute: (id, command, named, cause) => {
      const commandId = command.by.kind === 'user' ? `${command.by.id}/${named}` : named // two users may call two acts alike
      const of = place(command.companyId, id) // another company's stream does not exist
      return inTurn(of.stream, () => ask(of, { ...command, at: command.at ?? clock.iso() }, commandId, cause))
    },
    load: async (companyId, id, named, upTo) => (await current(place(companyId, id), named, undefined, upTo)).state,
    wasExecuted: async (companyId, id, userId, named) => {
      const commandId = `${userId}/${named}`
      return (await current(place(companyId, id), {}, commandId)).commands.has(commandId)
    },
  }
}

function decided<S, C extends TypedMessage, E extends TypedMessage>(kind: Aggregate<S, C, E>, now: S, command: WithMetadata<C>) {
  try {
    return decide(kind, now, command)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
