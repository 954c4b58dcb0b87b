import type { HistoryEvent } from '#domain/history/contract.ts'
import type { About, Quote } from '#domain/ticket/events.ts'

export type Side = 'us' | 'contact'
/** Why a text cannot be read: lawful erasure, altered text, or a missing key. */
export type Lost = 'erased' | 'words' | 'key' | null
/** `name`: the colleague or group participant; empty if no name is shown. */
export type Reaction = { emoji: string; name: string }
/** One message at the replayed position. */
export type ReplayLine = {
  type: 'message'
  id: number
  from: Side
  by: HistoryEvent['by']
  at: string
  kind: string
  /** Null if it cannot be read any more. */
  body: string | null
  lost: Lost
  media: { key: string; mime: string; name: string } | null
  quotedId: number | null
  /** The quoted message, if it belongs to an earlier ticket. */
  quote: Quote | null
  /** The ad, product or story that the message refers to. */
  about: About | null
  private: boolean
  forwarded: boolean
  /** 0 waiting, 1 accepted by the channel, 2 delivered, 3 read, 5 played. */
  ack: number
  failed: string | null
  uncertain: boolean
  /** Written on the company's own phone. */
  elsewhere: boolean
  /** The message could not be decrypted yet. */
  undecryptable: boolean
  /** Texts before each edit, oldest first; null where a text cannot be read. */
  before: (string | null)[]
  removed: Side | null
  /** Keyed by `us`, `contact` or a group participant. */
  reactions: Record<string, Reaction>
}
export type NoteLine = { type: 'note'; id: number; by: HistoryEvent['by']; at: string; note: string; lost: Lost; removed: boolean }
export type Turn = { type: 'turn'; revision: number }
export type ReplayEntry = ReplayLine | NoteLine | Turn

/** The ticket after some event. */
export type ReplayedTicket = {
  status: 'absent' | 'pending' | 'open' | 'group' | 'closed' | 'lgpd' | 'nps' | 'deleted'
  group: boolean
  userId: number | null
  queueId: number | null
  unread: number
  /** The rating of the contact, from 0 to 10. */
  nps: number | null
  entries: readonly ReplayEntry[]
  /** The first record that could not be replayed: it was altered or its type is unknown. */
  stuckAt: number | null
}
export const before: ReplayedTicket = {
  status: 'absent',
  group: false,
  userId: null,
  queueId: null,
  unread: 0,
  nps: null,
  entries: [],
  stuckAt: null,
}
