/**
 * Keeps the state small although its stream grows: it holds the newest messages and the older ones that are referenced.
 * The command or event contains the reference. The repository therefore loads those messages before `decide` or `evolve` runs.
 */
export type PastReferences = {
  /** Message ids. */
  messages: number[]
  /** Provider ids and client ids that were already used. */
  ids: string[]
  /** Revisions; for each, the last message up to it is needed. */
  at: number[]
  /** Revisions; for each, the contact's last messages up to it are needed. */
  inboundUpTo: number[]
}
/** A message with all ids that were used for it. */
export type Past = { messageId: number; message: { revision: number; from: string }; ids: string[] }

/** How a stream category without an upper length keeps its state small. */
export type StateWindow<S, Message> = {
  /** Returns the past messages that a command or an event references. */
  needs: (message: Message) => PastReferences
  /** Returns the references that this state does not contain. */
  missing: (state: S, named: PastReferences) => PastReferences
  /** Adds past messages to the state. A message that the state already contains is newer and stays. */
  withPastReferences: (state: S, past: Past[]) => S
  /** Returns every message that the state contains. */
  entries: (state: S) => Past[]
  /** Reduces the state to its newest messages and to those that changed since the state `kept`. */
  evictOld: (state: S, kept?: S) => S
  /** Estimated size of the state in bytes. */
  weight: (state: S) => number
}

/** How many of the contact's messages each revision in `inboundUpTo` needs. */
export const inboundMessagesAtOnce = 50

export const noReferences: PastReferences = { messages: [], ids: [], at: [], inboundUpTo: [] }
export const isNothing = ({ messages, ids, at, inboundUpTo }: PastReferences): boolean =>
  messages.length + ids.length + at.length + inboundUpTo.length === 0
export const together = (all: PastReferences[]): PastReferences => ({
  messages: [...new Set(all.flatMap(({ messages }) => messages))],
  ids: [...new Set(all.flatMap(({ ids }) => ids))],
  at: [...new Set(all.flatMap(({ at }) => at))],
  inboundUpTo: [...new Set(all.flatMap(({ inboundUpTo }) => inboundUpTo))],
})

/** For a state that does not grow: it evicts nothing. */
export const wholeState: StateWindow<any, unknown> = {
  needs: () => noReferences,
  missing: () => noReferences,
  withPastReferences: (state) => state,
  entries: () => [],
  evictOld: (state) => state,
  weight: () => 0,
}
