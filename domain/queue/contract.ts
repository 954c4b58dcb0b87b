import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, signedIn } from '#domain/access.ts'
import { del, get, Id, Name, Nullable, resource, Text } from '#domain/contract.ts'

/** A department. Its bot, hours and rotation come with their areas. */
export const queue = resource('/queue', {
  list: 'queues',
  table: 'queue',
  one: 'a queue',
  missing: 'ERR_NO_QUEUE_FOUND',
  fields: {
    name: Name(50, 2), // R-QUEUE-01
    color: Type.String({ pattern: '^#[0-9a-fA-F]{3,8}$', minLength: 3, maxLength: 9 }),
    greetingMessage: Nullable(Text(5000)),
    orderQueue: Nullable(Type.Integer({ minimum: 0, maximum: 9999 })),
  },
  search: ['name'],
  read: signedIn,
  write: admin,
})
export type QueueRow = Static<typeof queue.Row>
/** How many point to a queue: what its deletion is refused with. */
export type QueueUse = { tickets: number; users: number; connections: number }

export const queues = {
  ...queue.calls,
  /** The published list is whole and bare (GET /queue). */
  list: get('/queue', { may: signedIn, says: 'All queues of the company.', answer: Type.Array(queue.Row) }),
  /** A-QUEUE-01. */
  remove: del('/queue/:id', {
    may: admin,
    says: 'Retires a queue. While active tickets, users or connections point to it, only with `moveTo`, the queue that its tickets go to.',
    query: Type.Object({ moveTo: Type.Optional(Id) }),
    once: true,
    refuses: ['ERR_QUEUE_IN_USE'],
  }),
}
