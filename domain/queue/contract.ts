import type { Static } from 'typebox'
import * as Type from 'typebox'
import { admin, signedIn } from '#domain/access.ts'
import { ChatbotTrees, Options } from '#domain/chatbot/contract.ts'
import { del, get, Id, Name, Nullable, post, put, resource, Text, version } from '#domain/contract.ts'
import { defaultHours, Schedules } from '#domain/hours/contract.ts'

/** Minutes after which a waiting ticket rotates to the next agent; 0: never (R-QUEUE-05). */
export const rotationMinutes = [0, 2, 5, 10, 15, 30, 45, 60] as const

/** A department with its texts, its hours and its rotation. */
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
    outOfHoursMessage: Nullable(Text(5000)),
    schedules: { ...Schedules, default: defaultHours.queue },
    ativarRoteador: Type.Boolean({ default: false }),
    tempoRoteador: Type.Enum([...rotationMinutes], { default: 0 }),
    integrationId: Nullable(Id),
    fileListId: Nullable(Id),
    /** Choosing the queue sends its greeting and closes the ticket (A-BOT-06). */
    closeTicket: Type.Boolean({ default: false }),
  },
  readOnly: {
    /** How many users have the queue. Admins see its tickets without having it. */
    usersCount: Type.Integer(),
  },
  search: ['name'],
  read: signedIn,
  write: admin,
})
export type QueueRow = Static<typeof queue.Row>
/** Whether rotation is on without an interval (R-QUEUE-08). Checked only if one of the two fields is given. */
export const rotatesNever = (given: object, { ativarRoteador, tempoRoteador }: Partial<QueueRow>): boolean =>
  ('ativarRoteador' in given || 'tempoRoteador' in given) && ativarRoteador === true && (tempoRoteador ?? 0) === 0

/** The use of a queue, which its refused deletion answers. */
export type QueueUse = { tickets: number; users: number; connections: number; options: number }

/** A queue with the options of its bot and the users that have it. */
export const Queue = Type.Object({
  ...queue.Row.properties,
  chatbots: ChatbotTrees,
  userIds: Type.Array(Id),
  users: Type.Array(Type.Object({ id: Id, name: Type.String() })),
})
export type Queue = Static<typeof Queue>
/** The users that have the queue, as the form of each user sets them (A-USER-02). */
const UserIds = Type.Optional(Type.Array(Id, { maxItems: 1000, uniqueItems: true }))
const errors = [
  'ERR_NO_USER_FOUND' as const,
  ...['ERR_QUEUE_COLOR_ALREADY_EXISTS' as const, 'ERR_OPTION_TWICE' as const, 'ERR_OPTIONS_TOO_MANY' as const],
  ...['ERR_OPTION_OWN_QUEUE' as const, 'ERR_OPTION_LOOP' as const, 'ERR_NO_PERMISSION/queue' as const],
]

export const queues = {
  ...queue.calls,
  find: get('/queue/:id', { may: signedIn, summary: 'Shows a queue with the options of its bot.', answer: Queue }),
  create: post('/queue', {
    may: admin,
    summary: 'Creates a queue within the limits of the plan, with the options of its bot.',
    body: Type.Object({ ...queue.Body.properties, chatbots: Type.Optional(Options), userIds: UserIds }, { additionalProperties: false }),
    answer: Queue,
    idempotent: true,
    errors,
  }),
  update: put('/queue/:id', {
    may: admin,
    summary:
      'Changes a queue; omitted fields stay. `chatbots` replaces all its options; options with an id keep it. `userIds` are all its users; open tickets of a removed user wait again.',
    body: Type.Object(
      { ...queue.Change.properties, version: Type.Optional(version), chatbots: Type.Optional(Options), userIds: UserIds },
      { additionalProperties: false },
    ),
    answer: Queue,
    idempotent: true,
    errors: ['ERR_ROW_CHANGED', ...errors],
  }),
  /** The published list is one array without pages (GET /queue). */
  list: get('/queue', { may: signedIn, summary: 'Lists all queues of the company.', answer: Type.Array(queue.Row) }),
  arrange: put('/queue/order', {
    may: admin,
    summary: 'Orders the queues as they are in lists and bot menus. Queues that `ids` does not name follow.',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: 1000, uniqueItems: true }) }, { additionalProperties: false }),
    answer: Type.Array(queue.Row),
    errors: ['ERR_NO_QUEUE_FOUND'],
  }),
  /** A-QUEUE-01. */
  remove: del('/queue/:id', {
    may: admin,
    summary: 'Retires a queue. A queue that active tickets, users or connections use needs `moveTo`, the queue that takes its tickets.',
    query: Type.Object({ moveTo: Type.Optional(Id) }),
    idempotent: true,
    errors: ['ERR_QUEUE_IN_USE'],
  }),
}
