import type { Static } from 'typebox'
import * as Type from 'typebox'
import { superAdmin } from '#domain/access.ts'
import { get, Id, Moment, post, Written } from '#domain/contract.ts'

/** A stream that a follower waits with, at an event which it cannot apply; `kind` and `streamId`: what it is of, such as ticket 7. Ids, types and a fault: nothing that anybody said. */
export const ParkedRow = Type.Object({
  id: Id,
  follower: Type.String(),
  company: Type.Object({ id: Id, name: Type.String() }),
  kind: Type.String(),
  streamId: Id,
  eventId: Type.String(),
  eventType: Type.String(),
  revision: Type.Integer(),
  /** How many events wait behind it. */
  waiting: Type.Integer(),
  reason: Type.String(),
  since: Moment,
  /** It is about to be tried again. */
  released: Type.Boolean(),
})
export type ParkedRow = Static<typeof ParkedRow>

export const GiveUp = Type.Object(
  {
    /** At which event it waited when that was decided: it may have gone on since. */
    eventId: Type.String({ format: 'uuid' }),
    reason: Written(500),
  },
  { additionalProperties: false },
)

export const parked = {
  list: get('/parked', {
    may: superAdmin,
    says: 'Streams of every company that wait at an event which cannot be applied, such as those of tickets, oldest first, at most 200, and how many there are.',
    answer: Type.Object({ streams: Type.Array(ParkedRow), count: Type.Integer() }),
  }),
  release: post('/parked/:id/release', {
    may: superAdmin,
    says: 'Has a parked stream tried again, from the event at which it waits.',
    refuses: ['ERR_NOT_FOUND'],
  }),
  giveUp: post('/parked/:id/give-up', {
    may: superAdmin,
    says: 'Lets a parked stream go on without the event at which it waits, on record and for good.',
    body: GiveUp,
    refuses: ['ERR_NOT_FOUND'],
  }),
}
