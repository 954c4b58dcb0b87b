import type { Static } from 'typebox'
import * as Type from 'typebox'
import { mayConnect } from '#domain/access.ts'
import { ConnectionRow } from '#domain/connection/contract.ts'
import { get, Id, Moment, Nullable } from '#domain/contract.ts'

const Count = Type.Integer({ minimum: 0 })
/** One day: the current outcome of the messages sent on it, and the messages received on it. */
const Day = Type.Object({
  /** In the company's time zone (A-TZ-01). */
  day: Type.String({ format: 'date' }),
  received: Count,
  sent: Count,
  taken: Count,
  delivered: Count,
  /** Delivered within a minute after the channel accepted them. */
  soon: Count,
  read: Count,
  failed: Count,
  uncertain: Count,
  /** Sent by a later attempt than the first. */
  retried: Count,
  /** The number of messages whose answer time is known. */
  timed: Count,
  /** The average answer time of the channel in milliseconds; null: not measured. */
  answerMs: Nullable(Type.Number()),
  /** How many minutes the connection was down. */
  awayMinutes: Type.Number(),
})
export type TrafficDay = Static<typeof Day>

/**
 * An outage of a connection. `reason`: null: a user disconnected it; `endedAt`: null: it still lasts.
 * `anew`: the phone had to be linked again, so messages of that time exist on the phone only.
 */
const Gap = Type.Object({ id: Id, beganAt: Moment, endedAt: Nullable(Moment), reason: Nullable(Type.String()), anew: Type.Boolean() })
export type Gap = Static<typeof Gap>

/** The number of waiting messages, and since when the oldest waits. */
const Queue = Type.Object({ n: Count, since: Nullable(Moment) })

/** The traffic and health of a connection. */
export const Traffic = Type.Object({
  connection: ConnectionRow,
  days: Type.Array(Day),
  /** Error codes of failed messages, most frequent first. `overcome`: messages with that error that a retry sent. */
  reasons: Type.Array(Type.Object({ code: Type.String(), n: Count, overcome: Count })),
  /** The newest outages. */
  gaps: Type.Array(Gap),
  gapsInAll: Count,
  /** Waiting outbound messages, and inbound events that are not processed yet. */
  leaving: Queue,
  coming: Queue,
  /** When the provider last answered; null: it sends no answers. */
  roundTripAt: Nullable(Moment),
})
export type Traffic = Static<typeof Traffic>

/** The provider's quality rating of a number. `limit`: new conversations allowed per day; null: unknown. */
const Quality = Type.Object({
  rating: Nullable(Type.Enum(['high', 'medium', 'low'])),
  limit: Nullable(Count),
  unlimited: Type.Boolean(),
  /** Until when the provider blocks new conversations. */
  blockedUntil: Nullable(Moment),
})
export type Quality = Static<typeof Quality>

export const ranges = [7, 30, 90] as const
export const traffic = {
  ofConnection: get('/whatsapp/:id/traffic', {
    may: mayConnect,
    summary:
      'Shows the recent traffic of a connection: received messages, outcomes of sent messages, answer times of its channel, and outages.',
    query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })) }),
    answer: Traffic,
    errors: ['ERR_NO_WAPP_FOUND'],
  }),
  quality: get('/whatsapp/:id/quality', {
    may: mayConnect,
    summary: 'Fetches the provider’s quality rating of a connection; null if the provider has none.',
    answer: Type.Object({ quality: Nullable(Quality) }),
    errors: ['ERR_NO_WAPP_FOUND'],
  }),
}
