import type { Static } from 'typebox'
import * as Type from 'typebox'
import { auditor } from '#domain/access.ts'
import { Dictionary, get, Id, Moment, Nullable, Page, Search } from '#domain/contract.ts'
import { TicketRow } from '#domain/ticket/contract.ts'

/** One fact of a ticket as an auditor reads it: unsealed, with its place and its hash. */
export const HistoryEvent = Type.Object({
  revision: Type.Integer(),
  id: Type.String(),
  type: Type.String(),
  at: Moment,
  by: Type.Object({ kind: Type.String(), id: Nullable(Id), name: Type.String() }),
  hash: Type.String(),
  data: Dictionary(Type.Unknown()),
})
export type HistoryEvent = Static<typeof HistoryEvent>

export const history = {
  list: get('/ticket-history', {
    may: auditor,
    says: 'Every ticket of the company, newest change first, by contact, number or id.',
    query: Search,
    answer: Page('tickets', TicketRow),
  }),
  show: get('/ticket-history/:uuid', {
    may: auditor,
    says: 'Every fact of a ticket in order, names beside the ids in them, and whether the chain holds.',
    answer: Type.Object({
      ticket: Type.Object({ id: Id, uuid: Type.String(), contact: Type.String(), whatsapp: Type.String() }),
      events: Type.Array(HistoryEvent),
      chain: Type.Object({ holds: Type.Boolean(), brokenAt: Nullable(Type.Integer()), reason: Nullable(Type.String()) }),
      users: Dictionary(Type.String()),
      queues: Dictionary(Type.Object({ name: Type.String(), color: Type.String() })),
      mediaUrls: Dictionary(Type.String()),
    }),
  }),
  export: get('/ticket-history/:uuid/export', {
    may: auditor,
    says: 'The ticket as one file that `npm run verify -- FILE` checks offline.',
    answer: Type.Unknown(),
  }),
}
