import type { Misfit } from '../event-store/chain.ts'

/**
 * Why verification of a stream failed, in addition to the reasons of the hash chain. An anchor has another hash (`anchor`), a longer
 * stream (`cut`) or a stream that is missing (`removed`). The anchor itself has a wrong `signature`, a wrong `root`, or differs from the
 * `published` one. A `file` has other bytes. The recording `time` decreases.
 * In an exported file: a part is no event (`unreadable`), the heading is of another ticket (`head`), the readable text differs from its
 * event (`text`), the signing `key` is not the expected one, or the exporting installation reported a failure itself (`found`).
 */
type Reason =
  | Misfit['reason']
  | 'unreadable'
  | 'head'
  | 'anchor'
  | 'cut'
  | 'removed'
  | 'signature'
  | 'root'
  | 'published'
  | 'file'
  | 'time'
  | 'text'
  | 'key'
  | 'found'
/** The first failure of a stream, with the type and id of its event. */
export type VerificationFault = {
  stream: string
  revision: bigint | null
  event: string | null
  reason: Reason
  detail?: string | undefined
}
/** `signed`: number of events with a MAC. `macs`: the MACs were checked, which needs keys. `anchored`: null without a comparison. */
export type Verdict = {
  streams: number
  events: number
  signed: number
  macs: boolean
  bad: VerificationFault[]
  anchored: (Pick<VerificationFinding, 'anchors' | 'newest' | 'firsts' | 'published'> & { behind: number }) | null
}

/** The head of a stream as an anchor recorded it. */
export type Anchored = { revision: bigint; hash: string; number: number }
/** The contents of the anchors of one company or of all. */
export type VerificationFinding = {
  anchors: number
  newest: { company: number; number: number; at: string } | null
  /** Time of the first anchor of each company. */
  firsts: Map<number, string>
  /** Recorded heads by stream, oldest first. */
  heads: Map<string, Anchored[]>
  bad: VerificationFault[]
  /** The comparison with published anchors for each company; null if there was none. */
  published: Compared[] | null
}
export type Compared = { company: number; anchors: number; newest: { number: number; at: string } | null; behind: number }
/** A failure in one line, for the operator. */
export const lineOf = ({ stream, revision, event, reason, detail }: VerificationFault, uuid?: string): string =>
  `BROKEN ${stream}${uuid ? ` (ticket ${uuid})` : ''}${revision === null ? '' : ` at revision ${revision}`}${event ? `, ${event}` : ''}: ${reason}${detail ? ` (${detail})` : ''}`
