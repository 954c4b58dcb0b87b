import type { Static } from 'typebox'
import * as Type from 'typebox'
import { superAdmin } from '#domain/access.ts'
import { get, Id, Moment, post, Written } from '#domain/contract.ts'

/**
 * A parked stream: its processor cannot apply an event and waits there. `kind` and `streamId`: such as ticket 7.
 * The row contains ids, types and the error, but no message content.
 */
export const ParkedRow = Type.Object({
  id: Id,
  follower: Type.String(),
  company: Type.Object({ id: Id, name: Type.String() }),
  kind: Type.String(),
  streamId: Id,
  eventId: Type.String(),
  eventType: Type.String(),
  revision: Type.Integer(),
  /** The number of events that wait in the stream. */
  waiting: Type.Integer(),
  reason: Type.String(),
  since: Moment,
  /** The stream is about to be retried. */
  released: Type.Boolean(),
})
export type ParkedRow = Static<typeof ParkedRow>

export const GiveUp = Type.Object(
  {
    /** The event at which the stream was parked when the user decided; it may have continued since. */
    eventId: Type.String({ format: 'uuid' }),
    reason: Written(500),
  },
  { additionalProperties: false },
)

export const parked = {
  list: get('/parked', {
    may: superAdmin,
    summary:
      'Lists the parked streams of every company, oldest first, at most 200, and counts them. A parked stream waits at an event that cannot be applied.',
    answer: Type.Object({ streams: Type.Array(ParkedRow), count: Type.Integer() }),
  }),
  release: post('/parked/:id/release', {
    may: superAdmin,
    summary: 'Retries a parked stream from the event at which it waits.',
    errors: ['ERR_NOT_FOUND'],
  }),
  giveUp: post('/parked/:id/give-up', {
    may: superAdmin,
    summary: 'Continues a parked stream without the event at which it waits, permanently and on record.',
    body: GiveUp,
    errors: ['ERR_NOT_FOUND'],
  }),
}
