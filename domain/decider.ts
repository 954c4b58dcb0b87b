/** Who did it, for which company, and when. Put on at the border; a decider never asks a clock. */
export type EventMetadata = {
  companyId: number
  by: Actor
  /** ISO 8601, UTC: when it was recorded. */
  at: string
  /** When it happened, where a provider told us of it (A-TIME-01); ISO 8601, UTC. */
  occurredAt?: string
}

/** Who asks; `at` is said by whoever tells of the past, and is otherwise the moment at which it is asked. */
export type CommandMetadata = Omit<EventMetadata, 'at'> & { at?: string }

/** What a command follows from, a fact or a call, and what stands at the beginning of it all. Without one a command is its own cause. */
export type Cause = { correlationId: string; causationId: string }

export type Actor =
  | { kind: 'user'; id: number }
  | { kind: 'contact'; id: number }
  | { kind: 'bot'; flowId: number | null }
  | { kind: 'api'; connectionId: number }
  | { kind: 'system' }

export type TypedMessage = { type: string }
export type WithMetadata<M> = M & EventMetadata

/** One row per message name. A forgotten row does not compile; there is no `default:` to hide in. */
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
  /** A copy whose inner parts are its own, so that the rows may write into them. */
  own?: (state: S) => S
  /** A provider's time as far as it can be believed. */
  believed?: (state: S, occurredAt: string, at: string) => string
}

type Row<S, M, R> = (state: S, message: M) => R

/** When it happened for who reads and counts it; the order in a stream is another matter (A-TIME-01). */
export const effectiveTimeOf = ({ occurredAt, at }: Pick<EventMetadata, 'occurredAt' | 'at'>): string => occurredAt ?? at

/** The state after one event; it may write into the state that it is given, which must be `own`. A name that no longer has a row says nothing, so that old streams keep folding. */
export const step = <S, C extends TypedMessage, E extends TypedMessage>(of: Decider<S, C, E>, state: S, event: WithMetadata<E>): S =>
  (of.evolve[event.type as E['type']] as Row<S, WithMetadata<E>, S> | undefined)?.(state, event) ?? state

export const cloneForFold = <S, C extends TypedMessage, E extends TypedMessage>(of: Decider<S, C, E>, state: S): S =>
  of.own?.(state) ?? state

/** The state after these events; the one that it begins with stays as it was. */
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
  const believed = occurredAt === undefined ? {} : { occurredAt: of.believed?.(state, occurredAt, at) ?? occurredAt }
  const facts = (of.decide[command.type as C['type']] as Row<S, WithMetadata<C>, E[]>)(state, { ...command, ...believed })
  return facts.map((fact) => ({ ...fact, companyId, by, at, ...believed }))
}
