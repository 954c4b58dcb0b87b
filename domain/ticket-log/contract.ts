import type { Static } from 'typebox'
import * as Type from 'typebox'
import { signedIn } from '#domain/access.ts'
import { get, Id, Moment, Nullable } from '#domain/contract.ts'
import { type LogType, logTypes } from '#domain/ticket/event-catalogue.ts'
import { Coloured } from '../ticket/contract.ts'

const types = Object.keys(logTypes) as LogType[]
/** Log entries that the thread also shows between the messages. */
export const inThread: readonly LogType[] = types.filter((type) => logTypes[type])

export const TicketLogRow = Type.Object({
  id: Type.String(),
  ticketId: Id,
  type: Type.Enum(types),
  user: Nullable(Coloured),
  queue: Nullable(Coloured),
  /** The user who served the ticket before the transfer; for a received transfer, who transferred it and wrote the note. */
  fromUser: Nullable(Coloured),
  /** The internal note of a transfer; for consent, the hash of the text as `sha256:…`. */
  note: Nullable(Type.String()),
  /** The undone action, for the type `undone`. */
  undone: Nullable(Type.Enum(['closed', 'returned', 'transferred'])),
  /** For `access`: how the ticket was read without being opened. For `closed`: the ticket's connection was deleted, or no agent had accepted the ticket. */
  way: Nullable(
    Type.Enum([
      ...(['peek', 'print', 'export', 'replay', 'bot', 'wallet', 'random', 'rotation', 'laneTime', 'laneBack'] as const),
      ...(['connectionRemoved', 'ignored'] as const),
    ]),
  ),
  /** The rule that caused the entry automatically. */
  rule: Nullable(Type.String()),
  /** `nps`: a rating from 0 to 10; `lane`: the lane that the ticket entered or left; `amount`: the new amount. */
  nps: Nullable(Type.Integer()),
  lane: Nullable(Coloured),
  amount: Nullable(Type.Number()),
  /** For `missed`: since when the number was disconnected; messages of that time may exist on the phone only. */
  since: Nullable(Moment),
  createdAt: Moment,
})
export type TicketLogRow = Static<typeof TicketLogRow>
export const ticketLogs = {
  list: get('/tickets-log/:ticketId', {
    may: signedIn,
    summary: 'Lists the log entries of a ticket, oldest first.',
    answer: Type.Array(TicketLogRow),
  }),
}
