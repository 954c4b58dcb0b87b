/** A sent message. A row with a negative id is a ticket and gives its connection; its `sentAt` is null. */
export type TrafficTable = {
  id: number
  companyId: number
  connectionId: number
  sentAt: string | null
  /** When it was last sent to the channel. */
  triedAt: string | null
  takenAt: string | null
  deliveredAt: string | null
  readAt: string | null
  failed: string | null
  /** The error of an earlier failure, if it was delivered after all. */
  overcome: string | null
  uncertain: boolean
  /** How often it was sent to the channel. */
  tries: number
}
/**
 * Counts of a connection per quarter of an hour: the results of sent messages, and inbound messages.
 * `failed`: the final error, or empty.
 */
export type TrafficSumTable = {
  companyId: number
  connectionId: number
  slot: string
  failed: string
  sent: number
  taken: number
  delivered: number
  /** Delivered within a minute after acceptance. */
  soon: number
  read: number
  uncertain: number
  /** Failed with this error, and were delivered after all. */
  overcome: number
  /** Accepted by a later attempt than the first. */
  retried: number
  /** Number of measured channel answers, and their total milliseconds. */
  timed: number
  tookMs: number
  /** Inbound messages; only in the row without a failure. */
  received: number
}
