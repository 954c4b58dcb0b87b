/** A message of ours on its way. Under its number made negative stands a ticket, for the connection that its messages go by: `sentAt` is null. */
export type TrafficTable = {
  id: number
  companyId: number
  connectionId: number
  sentAt: string | null
  /** When it was last given to the channel. */
  triedAt: string | null
  takenAt: string | null
  deliveredAt: string | null
  readAt: string | null
  failed: string | null
  /** Why it had failed, where it left all the same. */
  overcome: string | null
  uncertain: boolean
  /** How often it was given to the channel. */
  tries: number
}
/** Of what a connection sent in a quarter of an hour, what became of it by now; and how much came in by it then. `failed`: why it did so at last, or empty. */
export type TrafficSumTable = {
  companyId: number
  connectionId: number
  slot: string
  failed: string
  sent: number
  taken: number
  delivered: number
  /** Within a minute of being taken. */
  soon: number
  read: number
  uncertain: number
  /** Had failed so, and left all the same. */
  overcome: number
  /** Left by a later attempt than their first. */
  retried: number
  /** Of so many it is known how long the channel took to answer: so many milliseconds together. */
  timed: number
  tookMs: number
  /** From customers; beside no failure. */
  received: number
}
