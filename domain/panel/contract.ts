import * as Type from 'typebox'
import { seesPanel } from '#domain/access.ts'
import { get, Id, IdList, PageNumber } from '#domain/contract.ts'
import { TicketRow } from '#domain/ticket/contract.ts'

/** The panel shows tickets that changed in these last days. */
export const panelDays = 30
/** Maximum number of tickets per page. */
export const panelPage = 1000

const Day = Type.Optional(Type.String({ format: 'date' }))
const Statuses = Type.String({
  pattern: '^((pending|open|group)|\\[("(pending|open|group)"(,(?=")|(?=\\])))*\\])$',
})
const Answer = Type.Object({ tickets: Type.Array(TicketRow), hasMore: Type.Boolean() })

/**
 * The active tickets of the company, of every agent; of the caller’s queues only, if the caller is limited to some (A-VIS-04). The answer
 * leaves out the text of tickets that the caller may not open.
 */
export const panel = {
  moments: get('/usersMoments', {
    may: seesPanel,
    summary: 'Lists the waiting and open tickets of the last 30 days with their agents; newest change first, 1,000 per page.',
    query: Type.Object({ pageNumber: Type.Optional(PageNumber) }),
    answer: Answer,
  }),
  filtered: get('/dashboard/moments', {
    may: seesPanel,
    summary: 'Lists the active tickets by status, queues, agent and the days of their last change, at most the last 30 days.',
    query: Type.Object({
      status: Type.Optional(Statuses),
      queueIds: Type.Optional(IdList),
      userId: Type.Optional(Id),
      dateStart: Day,
      dateEnd: Day,
      showAll: Type.Optional(Type.Boolean()),
      pageNumber: Type.Optional(PageNumber),
    }),
    answer: Answer,
    errors: ['ERR_INVALID_RANGE'],
  }),
}
