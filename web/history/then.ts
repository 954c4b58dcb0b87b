import type { HistoryEvent } from '#domain/history/contract.ts'
import type { About, Quote } from '#domain/ticket/events.ts'

export type Side = 'us' | 'contact'
/** Why what somebody wrote cannot be read: by right, or because somebody altered it or took its key away. */
export type Lost = 'erased' | 'words' | 'key' | null
/** `name`: of the colleague, or of the participant in a group; empty where nobody is told by name. */
export type Reaction = { emoji: string; name: string }
/** One message as it stood at a moment. */
export type Line = {
  type: 'message'
  id: number
  from: Side
  by: HistoryEvent['by']
  at: string
  kind: string
  /** Null: it cannot be read any more. */
  body: string | null
  lost: Lost
  media: { key: string; mime: string; name: string } | null
  quotedId: number | null
  /** What it quotes, where that stands in an earlier ticket. */
  quote: Quote | null
  /** What it came by, or is about. */
  about: About | null
  private: boolean
  forwarded: boolean
  /** 0 waits, 1 taken by the channel, 2 delivered, 3 read, 5 played. */
  ack: number
  failed: string | null
  uncertain: boolean
  /** Written on the company's own phone. */
  elsewhere: boolean
  /** Nobody could read it yet. */
  undecryptable: boolean
  /** What it said before each edit, oldest first; null where that cannot be read. */
  before: (string | null)[]
  removed: Side | null
  /** By who reacted: `us`, `contact`, or a participant of a group. */
  reactions: Record<string, Reaction>
}
export type NoteLine = { type: 'note'; id: number; by: HistoryEvent['by']; at: string; note: string; lost: Lost; removed: boolean }
export type Turn = { type: 'turn'; revision: number }
export type Entry = Line | NoteLine | Turn

/** The ticket as it was after some event. */
export type ReplayedTicket = {
  status: 'absent' | 'pending' | 'open' | 'group' | 'closed' | 'lgpd' | 'nps' | 'deleted'
  group: boolean
  userId: number | null
  queueId: number | null
  unread: number
  /** What the contact said of how they were served, from 0 to 10. */
  nps: number | null
  entries: readonly Entry[]
  /** The first record that could not be replayed: it was changed, or is of a kind that no one knows. */
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
