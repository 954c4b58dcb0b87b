import type { Static } from 'typebox'
import * as Type from 'typebox'
import { mayConnect } from '#domain/access.ts'
import { ConnectionRow } from '#domain/connection/contract.ts'
import { get, Id, Moment, Nullable } from '#domain/contract.ts'

const Count = Type.Integer({ minimum: 0 })
/** Of what was sent on a day, what became of it by now, whenever that was; and what customers wrote, on the day it came here. */
const Day = Type.Object({
  /** In the company’s zone (A-TZ-01). */
  day: Type.String({ format: 'date' }),
  received: Count,
  sent: Count,
  taken: Count,
  delivered: Count,
  /** Within a minute of being taken. */
  soon: Count,
  read: Count,
  failed: Count,
  uncertain: Count,
  /** Left by a later attempt than their first. */
  retried: Count,
  /** Of so many it is known how long the channel took to answer. */
  timed: Count,
  /** So long on average; null: nothing was timed. */
  answerMs: Nullable(Type.Number()),
  /** For how long the connection did not stand. */
  awayMinutes: Type.Number(),
})
export type TrafficDay = Static<typeof Day>

/**
 * When a connection did not stand, though it had. `reason`: null where somebody ended it; `endedAt`: null while it lasts. `anew`: it was to be
 * linked anew, and what customers wrote meanwhile is on the phone alone.
 */
const Gap = Type.Object({ id: Id, beganAt: Moment, endedAt: Nullable(Moment), reason: Nullable(Type.String()), anew: Type.Boolean() })
export type Gap = Static<typeof Gap>

/** So many wait, since when. */
const Queue = Type.Object({ n: Count, since: Nullable(Moment) })

/** How a connection has been. */
export const Traffic = Type.Object({
  connection: ConnectionRow,
  days: Type.Array(Day),
  /** Why messages failed, the most frequent first. `overcome`: so many more had failed so, and left all the same. */
  reasons: Type.Array(Type.Object({ code: Type.String(), n: Count, overcome: Count })),
  /** The newest of them. */
  gaps: Type.Array(Gap),
  gapsInAll: Count,
  /** What waits to leave, and what came and is not yet dealt with. */
  leaving: Queue,
  coming: Queue,
  /** When something last came back from the provider; null: it never tells. */
  roundTripAt: Nullable(Moment),
})
export type Traffic = Static<typeof Traffic>

/** What the provider itself thinks of a number. `limit`: to how many people it may write first in a day; null: it does not say. */
const Quality = Type.Object({
  rating: Nullable(Type.Enum(['high', 'medium', 'low'])),
  limit: Nullable(Count),
  unlimited: Type.Boolean(),
  /** Until when it may begin no conversations at all. */
  blockedUntil: Nullable(Moment),
})
export type Quality = Static<typeof Quality>

export const ranges = [7, 30, 90] as const
export const traffic = {
  ofConnection: get('/whatsapp/:id/traffic', {
    may: mayConnect,
    says: 'How a connection has been on its last days: how much came in by it, what became of what it sent, how fast its channel answered, and when it was away.',
    query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })) }),
    answer: Traffic,
    refuses: ['ERR_NO_WAPP_FOUND'],
  }),
  quality: get('/whatsapp/:id/quality', {
    may: mayConnect,
    says: 'What the provider thinks of a connection, asked for now; null where it says nothing.',
    answer: Type.Object({ quality: Nullable(Quality) }),
    refuses: ['ERR_NO_WAPP_FOUND'],
  }),
}
