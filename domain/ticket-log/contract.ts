import type { Static } from 'typebox'
import * as Type from 'typebox'
import { signedIn } from '#domain/access.ts'
import { get, Id, Moment, Nullable } from '#domain/contract.ts'
import { Coloured } from '../ticket/contract.ts'

/** What the thread tells among the messages, too. */
export const inThread = [
  'open',
  'transfered',
  'receivedTransfer',
  'pending',
  'closed',
  'reopen',
  'redirect',
  'undone',
  'queueDeleted',
  'warned',
  'consentAsked',
  'consentTold',
  'consentGiven',
  'consentRefused',
  'ratingAsked',
  'rated',
  'unrated',
  'lane',
  'imported',
  'missed',
] as const

export const TicketLogRow = Type.Object({
  id: Type.String(),
  ticketId: Id,
  type: Type.Enum(['create', 'chatBot', 'queue', 'access', 'delete', 'laneLeft', 'amount', ...inThread]),
  user: Nullable(Coloured),
  queue: Nullable(Coloured),
  /** Who served it until it was transferred. */
  fromUser: Nullable(Coloured),
  /** What the transferring agent says to us alone; of consent which text it is about, as `sha256:…`. */
  note: Nullable(Type.String()),
  /** Which act was taken back, where the type is `undone`. */
  undone: Nullable(Type.Enum(['closed', 'returned', 'transferred'])),
  /** How it was read, where the type is `access` and it was not opened; that its connection was deleted, where it is `closed`. */
  way: Nullable(
    Type.Enum([
      ...(['peek', 'print', 'export', 'replay', 'bot', 'wallet', 'random', 'rotation', 'laneTime', 'laneBack'] as const),
      'connectionRemoved',
    ]),
  ),
  /** By which rule of the house it happened by itself. */
  rule: Nullable(Type.String()),
  /** A rating, from 0 to 10; the lane of the board that it entered or left; the amount that it was given. */
  nps: Nullable(Type.Integer()),
  lane: Nullable(Coloured),
  amount: Nullable(Type.Number()),
  /** Where the type is `missed`: from when on until then its number was away, and what was written is perhaps on the phone alone. */
  since: Nullable(Moment),
  createdAt: Moment,
})
export type TicketLogRow = Static<typeof TicketLogRow>
export const ticketLogs = {
  list: get('/tickets-log/:ticketId', {
    may: signedIn,
    says: 'What was done with a ticket, oldest first.',
    answer: Type.Array(TicketLogRow),
  }),
}
