/**
 * A state stays small however long its stream grows: it holds its newest messages, and of the older ones what somebody names. Which message
 * that is stands in the command or in the fact itself, so that whoever keeps the older ones by key brings them along beforehand, and a row
 * of `decide` or `evolve` never knows the difference.
 */
export type PastReferences = {
  /** By their own ids. */
  messages: number[]
  /** By ids that are spent. */
  ids: string[]
  /** The one that was the last at a revision. */
  at: number[]
  /** The contact's last ones up to a revision. */
  heardTo: number[]
}
/** A message with all ids that are spent for it. */
export type Past = { messageId: number; message: { revision: number; from: string }; ids: string[] }

/** How a kind of stream that grows for ever keeps its state small. */
export type StateWindow<S, Message> = {
  /** What a command or a fact names of the past. */
  needs: (message: Message) => PastReferences
  /** What of it this state does not hold. */
  missing: (state: S, named: PastReferences) => PastReferences
  /** The same state with these messages in it; what it holds already is newer. */
  withPastReferences: (state: S, past: Past[]) => S
  /** Every message that the state holds. */
  entries: (state: S) => Past[]
  /** The state with its newest messages, and those of which something happened since it was as in `kept`. */
  evictOld: (state: S, kept?: S) => S
  /** About how many bytes it takes. */
  weight: (state: S) => number
}

/** How many of the contact's messages `heardTo` asks for. */
export const heardAtOnce = 50

export const noReferences: PastReferences = { messages: [], ids: [], at: [], heardTo: [] }
export const isNothing = ({ messages, ids, at, heardTo }: PastReferences): boolean =>
  messages.length + ids.length + at.length + heardTo.length === 0
export const together = (all: PastReferences[]): PastReferences => ({
  messages: [...new Set(all.flatMap(({ messages }) => messages))],
  ids: [...new Set(all.flatMap(({ ids }) => ids))],
  at: [...new Set(all.flatMap(({ at }) => at))],
  heardTo: [...new Set(all.flatMap(({ heardTo }) => heardTo))],
})

/** Of a state that does not grow: it forgets nothing. */
export const wholeState: StateWindow<any, unknown> = {
  needs: () => noReferences,
  missing: () => noReferences,
  withPastReferences: (state) => state,
  entries: () => [],
  evictOld: (state) => state,
  weight: () => 0,
}
