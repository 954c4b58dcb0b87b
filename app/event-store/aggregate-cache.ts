import { cloneForFold, step, type TypedMessage } from '#domain/decider.ts'
import { type StateWindow, wholeState } from '#domain/state-window.ts'
import type { Aggregate } from '#domain/stream.ts'
import { EventCannotBeApplied, type PersistedEvent } from '#projections/projector.ts'
import { hashOf } from './chain.ts'
import { decodeEvent, type Meta } from './event-codec.ts'
import type { Revision, StoredEvent } from './event-store.ts'
import type { Spent } from './snapshots.ts'

/** A stream as it was folded, and what is needed to go on from there. */
export type CachedAggregate<S> = {
  state: S
  revision: Revision
  position: bigint
  hash: string
  contactId: number | null
  /** The ids of commands that made something; of older ones by key. */
  commands: ReadonlySet<string>
  /** The snapshot that knows what this one has forgotten; null: it has forgotten nothing. */
  base: bigint | null
  /** The revision at which it is worth a snapshot. */
  due: bigint
}

/** As many events as are folded again at most, once there is a snapshot. */
export const snapshotEvery = 500n
const recentCommands = 100

export const unknown = <S>(initial: S): CachedAggregate<S> => ({
  ...{ state: initial, revision: 'none', position: -1n, hash: '', contactId: null },
  ...{ commands: new Set<string>(), base: null, due: snapshotEvery },
})

export const memoryOf = <S, C extends TypedMessage, E extends TypedMessage>(of: Aggregate<S, C, E>): StateWindow<S, C | E> =>
  of.memory ?? wholeState

/** Decisions never look at sealed words, so a fold does not open them. */
export const factsOf = <S, C extends TypedMessage, E extends TypedMessage>(
  of: Aggregate<S, C, E>,
  events: StoredEvent[],
): PersistedEvent<E>[] => events.map((event) => decodeEvent<E>(of, event, null))

export function after<S, C extends TypedMessage, E extends TypedMessage>(
  of: Aggregate<S, C, E>,
  from: CachedAggregate<S>,
  events: StoredEvent[],
  facts: PersistedEvent<E>[],
): CachedAggregate<S> {
  const last = events.at(-1)
  if (!last) return from
  let now = cloneForFold(of, from.state)
  for (const [i, event] of events.entries()) now = folded(of, now, event, facts[i]!)
  const made = events.map(({ meta }) => (meta as { commandId: string }).commandId)
  return {
    ...from,
    state: now,
    revision: last.revision,
    position: last.position,
    hash: hashOf(last.meta),
    contactId: (last.meta as unknown as Meta).contactId ?? null,
    commands: new Set([...from.commands, ...made]),
  }
}

/** A fact that cannot be folded is named: without its place nobody would find it among thousands. */
function folded<S, C extends TypedMessage, E extends TypedMessage>(
  of: Aggregate<S, C, E>,
  now: S,
  event: StoredEvent,
  recorded: PersistedEvent<E>,
): S {
  try {
    return step(of, now, recorded)
  } catch (cause) {
    throw new EventCannotBeApplied(`${event.stream} does not fold at revision ${event.revision}: ${event.type} ${event.id}`, { cause })
  }
}

/** About how many bytes a folded stream takes. */
export const weightOf = <S>({ weight }: StateWindow<S, never>, { state, commands }: CachedAggregate<S>): number =>
  1000 + commands.size * 80 + weight(state)

/** A command's id among the ids that are spent. */
export const spentBy = (commandId: string) => `command ${commandId}`
export const spentIn = <S>({ entries }: StateWindow<S, never>, { state, commands }: CachedAggregate<S>): Spent[] => [
  ...entries(state).flatMap(({ messageId, ids }) => ids.map((id) => ({ id, messageId }))),
  ...[...commands].map((commandId) => ({ id: spentBy(commandId), messageId: null })),
]
/** Whoever asks again asks soon. */
export const latest = (commands: ReadonlySet<string>): Set<string> => new Set([...commands].slice(-recentCommands))
