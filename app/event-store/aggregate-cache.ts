import { cloneForFold, step, type TypedMessage } from '#domain/decider.ts'
import { type StateWindow, wholeState } from '#domain/state-window.ts'
import type { Aggregate } from '#domain/stream.ts'
import { EventCannotBeApplied, type PersistedEvent } from '#projections/projector.ts'
import { hashOf } from './chain.ts'
import { decodeEvent, type Meta } from './event-codec.ts'
import type { Revision, StoredEvent } from './event-store.ts'
import type { Spent } from './used-ids.ts'

/** The folded state of a stream, with all that is needed to fold further events. */
export type CachedAggregate<S> = {
  state: S
  revision: Revision
  position: bigint
  hash: string
  contactId: number | null
  /** Ids of executed commands; older ones are stored by key in the snapshot. */
  commands: ReadonlySet<string>
  /** Revision of the snapshot that has what was evicted from this state; null if nothing was evicted. */
  base: bigint | null
  /** The revision at which the next snapshot is written. */
  due: bigint
}

/** Events between two snapshots; at most this many are folded again. */
export const snapshotEvery = 500n
const recentCommands = 100

export const unknown = <S>(initial: S): CachedAggregate<S> => ({
  ...{ state: initial, revision: 'none', position: -1n, hash: '', contactId: null },
  ...{ commands: new Set<string>(), base: null, due: snapshotEvery },
})

export const stateWindowOf = <S, C extends TypedMessage, E extends TypedMessage>(of: Aggregate<S, C, E>): StateWindow<S, C | E> =>
  of.stateWindow ?? wholeState

/** Decodes without a key: decisions never need sealed fields. */
export const decodeForFold = <S, C extends TypedMessage, E extends TypedMessage>(
  of: Aggregate<S, C, E>,
  events: StoredEvent[],
): PersistedEvent<E>[] => events.map((event) => decodeEvent<E>(of, event, null))

export function after<S, C extends TypedMessage, E extends TypedMessage>(
  of: Aggregate<S, C, E>,
  from: CachedAggregate<S>,
  events: StoredEvent[],
  decoded: PersistedEvent<E>[],
): CachedAggregate<S> {
  const last = events.at(-1)
  if (!last) return from
  let state = cloneForFold(of, from.state)
  for (const [i, event] of events.entries()) state = folded(of, state, event, decoded[i]!)
  const commandIds = events.map(({ meta }) => (meta as { commandId: string }).commandId)
  return {
    ...from,
    state,
    revision: last.revision,
    position: last.position,
    hash: hashOf(last.meta),
    contactId: (last.meta as unknown as Meta).contactId ?? null,
    commands: new Set([...from.commands, ...commandIds]),
  }
}

/** Adds the event's stream and revision to the error of a fold. */
function folded<S, C extends TypedMessage, E extends TypedMessage>(
  of: Aggregate<S, C, E>,
  state: S,
  event: StoredEvent,
  recorded: PersistedEvent<E>,
): S {
  try {
    return step(of, state, recorded)
  } catch (cause) {
    throw new EventCannotBeApplied(`Cannot fold ${event.stream} at revision ${event.revision}: ${event.type} ${event.id}`, { cause })
  }
}

/** Approximate size of a cached aggregate in bytes. */
export const weightOf = <S>({ weight }: StateWindow<S, never>, { state, commands }: CachedAggregate<S>): number =>
  1000 + commands.size * 80 + weight(state)

/** A command's id in the list of used ids. */
export const usedCommandId = (commandId: string) => `command ${commandId}`
export const usedIdsIn = <S>({ entries }: StateWindow<S, never>, { state, commands }: CachedAggregate<S>): Spent[] => [
  ...entries(state).flatMap(({ messageId, ids }) => ids.map((id) => ({ id, messageId }))),
  ...[...commands].map((commandId) => ({ id: usedCommandId(commandId), messageId: null })),
]
/** Keeps the newest command ids, because duplicates usually arrive soon after the original. */
export const latestCommands = (commands: ReadonlySet<string>): Set<string> => new Set([...commands].slice(-recentCommands))
