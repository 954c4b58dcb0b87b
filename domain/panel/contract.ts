import type { Static } from 'typebox'
import * as Type from 'typebox'
import { seesPanel } from '#domain/access.ts'
import { get, Id, IdList, Moment, Nullable, PageNumber } from '#domain/contract.ts'
import { Channel, Coloured, TicketRow } from '#domain/ticket/contract.ts'

/** The panel shows tickets that changed in these last days. */
export const panelDays = 30
/** Maximum number of tickets per page. */
export const panelPage = 1000

const Day = Type.Optional(Type.String({ format: 'date' }))
const Statuses = Type.String({
  pattern: '^((pending|open|group)|\\[("(pending|open|group)"(,(?=")|(?=\\])))*\\])$',
})
const Answer = Type.Object({ tickets: Type.Array(TicketRow), hasMore: Type.Boolean() })

/** An active ticket at a past moment, without texts of the conversation. */
const PanelMomentRow = Type.Object({
  id: Id,
  uuid: Type.String(),
  channel: Channel,
  /** The name of today, masked for users who must not see numbers (A-LGPD-04). */
  contactName: Type.String(),
  /** `quiet`: it was started by us or imported, and the contact had not written yet. */
  state: Type.Enum(['waiting', 'quiet', 'bot', 'open']),
  queueId: Nullable(Id),
  queue: Nullable(Coloured),
  userId: Nullable(Id),
  user: Nullable(Coloured),
  /** Since when it was in this state without a break. A change of queue or agent is no break. */
  since: Moment,
})
export type PanelMomentRow = Static<typeof PanelMomentRow>

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
  at: get('/usersMoments/at', {
    may: seesPanel,
    summary: 'Lists the waiting and open tickets of a past moment with queue and agent of then; oldest change first, 1,000 per page.',
    query: Type.Object({
      moment: Type.String({ format: 'date-time' }),
      queueIds: Type.Optional(IdList),
      users: Type.Optional(IdList),
      pageNumber: Type.Optional(PageNumber),
    }),
    answer: Type.Object({ tickets: Type.Array(PanelMomentRow), hasMore: Type.Boolean() }),
    errors: ['ERR_FUTURE_MOMENT'],
  }),
}
