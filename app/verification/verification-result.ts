import type { Misfit } from '../event-store/chain.ts'

/**
 * Why a stream does not hold, beside what its own chain tells: an anchor knows another hash (`anchor`), a longer stream (`cut`), or one that
 * is not there at all (`removed`); an anchor is not ours (`signature`), not over these heads (`root`), or not as it was `published`; a `file` has other bytes; its `time` goes back. In a
 * file: `unreadable` for a part that is no event, `head` where its heading tells of another ticket, `text` where its readable part is not what
 * its event stores, `key` where it is signed with another than was asked for, `found` where the house itself said so.
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
/** The first misfit of a stream, and its event by kind and id. */
export type Bad = { stream: string; revision: bigint | null; event: string | null; reason: Reason; detail?: string | undefined }
/** `signed`: how many carry a MAC, and whether those were looked at, which takes the keys. `anchored`: null where no anchors were asked. */
export type Verdict = {
  streams: number
  events: number
  signed: number
  macs: boolean
  bad: Bad[]
  anchored: (Pick<Found, 'anchors' | 'newest' | 'firsts' | 'published'> & { behind: number }) | null
}

/** What an anchor says of a stream. */
export type Anchored = { revision: bigint; hash: string; number: number }
/** What the anchors of a company, or of all, tell. */
export type Found = {
  anchors: number
  newest: { company: number; number: number; at: string } | null
  /** When the first of each company was made. */
  firsts: Map<number, string>
  /** By stream, oldest first. */
  heads: Map<string, Anchored[]>
  bad: Bad[]
  /** With how many anchors that were published those of each company were compared, up to which, and how many came behind; null: with none. */
  published: Compared[] | null
}
export type Compared = { company: number; anchors: number; newest: { number: number; at: string } | null; behind: number }
/** A misfit in one line, for an operator who has to find it. */
export const lineOf = ({ stream, revision, event, reason, detail }: Bad, uuid?: string): string =>
  `BROKEN ${stream}${uuid ? ` (ticket ${uuid})` : ''}${revision === null ? '' : ` at revision ${revision}`}${event ? `, ${event}` : ''}: ${reason}${detail ? ` (${detail})` : ''}`
