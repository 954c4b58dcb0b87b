import type { Static } from 'typebox'
import * as Type from 'typebox'
import { signedIn } from '#domain/access.ts'
import { get, Id, IdList, Moment, Nullable, Text } from '#domain/contract.ts'
import { TicketRow } from '#domain/ticket/contract.ts'
import { messageKinds } from './rules.ts'

const Day = Type.Optional(Type.String({ format: 'date' }))
const Filter = Type.Object(
  {
    /** Words in any order, and phrases in quotes; accents and case are ignored. */
    searchParam: Type.Optional(Text(200)),
    /** `customer`, `us`, or the id of the agent who wrote the message. */
    sender: Type.Optional(Type.String({ pattern: '^(customer|us|[1-9]\\d{0,8})$' })),
    /** The first and the last day, in the company's time zone. */
    from: Day,
    to: Day,
    kind: Type.Optional(Type.Enum([...messageKinds])),
    queueIds: Type.Optional(IdList),
    /** The agents who serve the ticket, or served it last. */
    users: Type.Optional(IdList),
    tags: Type.Optional(IdList),
    whatsapps: Type.Optional(IdList),
    /** Only the messages of this ticket. */
    ticketId: Type.Optional(Id),
    /** The cursor of the previous page. */
    cursor: Type.Optional(Type.String({ pattern: '^\\d{1,13}-\\d{1,10}$' })),
  },
  { additionalProperties: false },
)
export type MessageFilter = Static<typeof Filter>

const Parts = Type.Array(Type.Object({ text: Type.String(), isHit: Type.Boolean() }))
const FoundMessage = Type.Object({
  id: Id,
  createdAt: Moment,
  fromMe: Type.Boolean(),
  isPrivate: Type.Boolean(),
  isEdited: Type.Boolean(),
  mediaType: Type.String(),
  /** The agent or the group member who wrote it; null: the contact or the system. */
  author: Nullable(Type.String()),
  /** The text around the first match. */
  snippet: Parts,
  /** The name of its file. */
  fileName: Nullable(Parts),
})
export type FoundMessage = Static<typeof FoundMessage>

const FoundTicket = Type.Object({
  ticket: TicketRow,
  /** The number of messages that match; null on a further page of one ticket. */
  count: Nullable(Type.Integer()),
  /** Whether counting stopped at `count`. */
  isCountCapped: Type.Boolean(),
  /** The newest messages that match. */
  messages: Type.Array(FoundMessage),
  /** Lists the further messages with `ticketId`; null: there are no more. */
  cursor: Nullable(Type.String()),
})
export type FoundTicket = Static<typeof FoundTicket>

export const messageSearch = {
  list: get('/messages/search', {
    may: signedIn,
    summary:
      'Searches the messages and file names of all tickets that the caller sees, grouped by ticket, newest message first. A text needs a word of three letters; without a text, a filter is needed (A-TICKET-18).',
    query: Filter,
    errors: ['ERR_SEARCH_TOO_SHORT'],
    answer: Type.Object({
      tickets: Type.Array(FoundTicket),
      /** The number of messages that match in all tickets; null on a further page. */
      count: Nullable(Type.Integer()),
      /** Whether counting stopped at `count`. */
      isCountCapped: Type.Boolean(),
      /** For the next page; null: this is the last one. A page may be empty although more follow. */
      cursor: Nullable(Type.String()),
    }),
  }),
}
