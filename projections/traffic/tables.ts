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
  uncertain: boolean
}
/** Of what a connection sent in a quarter of an hour, what became of it by now. `failed`: why, or empty. */
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
  /** Of so many it is known how long the channel took to answer: so many milliseconds together. */
  timed: number
  tookMs: number
}
