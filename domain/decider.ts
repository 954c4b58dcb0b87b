/** The actor, the company and the time. Added outside the domain, because a decider never reads a clock. */
export type EventMetadata = {
  companyId: number
  by: Actor
  /** When the event was recorded; ISO 8601, UTC. */
  at: string
  /** When it happened by the provider's clock, if a provider reported it (A-TIME-01); ISO 8601, UTC. */
  occurredAt?: string
}

/** The actor of a command. `at` is given only for past events; the default is the current time. */
export type CommandMetadata = Omit<EventMetadata, 'at'> & { at?: string }

/** The event or call that caused a command, and the first cause of the chain. Without them a command is its own cause. */
export type Cause = { correlationId: string; causationId: string }

export type Actor =
  | { kind: 'user'; id: number }
  | { kind: 'contact'; id: number }
  | { kind: 'bot'; flowId: number | null }
  | { kind: 'api'; connectionId: number }
  | { kind: 'system' }

export type TypedMessage = { type: string }
export type WithMetadata<M> = M & EventMetadata

/** One row per command. A missing row does not compile, and there is no default row. */
export type Decide<S, C extends TypedMessage, E extends TypedMessage> = {
  [N in C['type']]: (state: S, command: WithMetadata<Extract<C, { type: N }>>) => E[]
}
export type Evolve<S, E extends TypedMessage> = {
  [N in E['type']]: (state: S, event: WithMetadata<Extract<E, { type: N }>>) => S
}
export type Decider<S, C extends TypedMessage, E extends TypedMessage> = {
  stream: string
  initial: S
  decide: Decide<S, C, E>
  evolve: Evolve<S, E>
  /** Copies the state with its collections, so that the rows may mutate them. */
  own?: (state: S) => S
  /** Limits a provider's time to a plausible range (A-TIME-01). */
  normalizeOccurredAt?: (state: S, occurredAt: string, at: string) => string
}

type Row<S, M, R> = (state: S, message: M) => R

/** The time that readers see and reports count. The order in a stream does not depend on it (A-TIME-01). */
export const effectiveTimeOf = ({ occurredAt, at }: Pick<EventMetadata, 'occurredAt' | 'at'>): string => occurredAt ?? at

/**
 * Returns the state after one event. It may mutate the given state, which must be a copy made by `own`.
 * An event name without a row is skipped, because old streams must still fold.
 */
export const step = <S, C extends TypedMessage, E extends TypedMessage>(of: Decider<S, C, E>, state: S, event: WithMetadata<E>): S =>
  (of.evolve[event.type as E['type']] as Row<S, WithMetadata<E>, S> | undefined)?.(state, event) ?? state

export const cloneForFold = <S, C extends TypedMessage, E extends TypedMessage>(of: Decider<S, C, E>, state: S): S =>
  of.own?.(state) ?? state

/** Returns the state after these events and leaves the initial state unchanged. */
export function fold<S, C extends TypedMessage, E extends TypedMessage>(
  of: Decider<S, C, E>,
  events: WithMetadata<E>[],
  from: S = of.initial,
): S {
  return events.length === 0 ? from : events.reduce((state, event) => step(of, state, event), cloneForFold(of, from))
}

export function decide<S, C extends TypedMessage, E extends TypedMessage>(
  of: Decider<S, C, E>,
  state: S,
  command: WithMetadata<C>,
): WithMetadata<E>[] {
  const { companyId, by, at, occurredAt } = command
  const normalized = occurredAt === undefined ? {} : { occurredAt: of.normalizeOccurredAt?.(state, occurredAt, at) ?? occurredAt }
  const events = (of.decide[command.type as C['type']] as Row<S, WithMetadata<C>, E[]>)(state, { ...command, ...normalized })
  return events.map((event) => ({ ...event, companyId, by, at, ...normalized }))
}
