import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { ids } from '#domain/contract.ts'
import type { Timelines } from '#domain/hours/timelines.ts'

/** From `from` (included) to `to` (excluded), as ISO texts. */
export type Range = { from: string; to: string }
/** OR inside a field, AND between fields; an empty list does not filter, and 0 means "none". */
export type Filters = {
  queueIds: number[]
  connectionIds: number[]
  userIds: number[]
  /** The queues that the viewer is limited to, also without a filter; null: all (A-VIS-04). */
  limit: number[] | null
}
/** The open time of a company. `from`: the earliest moment of the timelines. */
export type OpenHours = { from: number; timelines: Timelines }
/** `openHours`: measure in open hours only, with these (A-COUNT-05). */
export type Scope = { companyId: number; range: Range; filters: Filters; openHours?: OpenHours | null }

/** The filters of a call, within the limit of the viewer. */
export const filtersOf = (
  { reportQueueIds: limit }: Viewer,
  { queueIds, whatsappId, users }: { queueIds?: string; whatsappId?: string; users?: string },
): Filters => ({ queueIds: ids(queueIds), connectionIds: ids(whatsappId), userIds: ids(users), limit })
/** The condition of a limit on a column with the queue. Tickets without a queue are outside every limit. */
export const within = (limit: number[] | null, column = 'queue_id'): RawBuilder<boolean> =>
  limit === null ? sql`true` : sql`coalesce(${sql.ref(column)} = any(${limit}::int[]), false)`

function among(column: string, ids: number[]): RawBuilder<boolean> {
  if (ids.length === 0) return sql`true`
  const isOne = sql<boolean>`${sql.ref(column)} = any(${ids}::int[])`
  return ids.includes(0) ? sql`(${isOne} or ${sql.ref(column)} is null)` : isOne
}
/** The condition of the filters on a table with queue, connection and user. */
export const filtered = ({ queueIds, connectionIds, userIds, limit }: Filters): RawBuilder<boolean> =>
  sql`(${within(limit)} and ${among('queue_id', queueIds)} and ${among('connection_id', connectionIds)} and ${among('user_id', userIds)})`

/** Closings that finalize no ticket: it continues in another one, or was never served for lack of consent (A-COUNT-09, A-COUNT-10). */
const isFinalizing = sql<boolean>`(not is_deleted and reason not in ('transfer', 'consentRefused'))`
/** The closings of a range. */
export const closingsIn = ({ companyId, range: { from, to }, filters }: Scope): RawBuilder<unknown> => sql`
  select * from ticket_closing
  where company_id = ${companyId} and at >= ${from}::timestamptz and at < ${to}::timestamptz and ${filtered(filters)}`
/** The last closing in the range of each ticket that was finalized in it: one row per ticket (A-COUNT-03, A-COUNT-11). */
export const finalizedIn = (scope: Scope): RawBuilder<unknown> =>
  sql`${closingsIn(scope)} and (next_at is null or next_at >= ${scope.range.to}::timestamptz) and ${isFinalizing}`
/** The last rated closing in the range of each ticket. A rating belongs to the closing that asked for it, also if the ticket is closed again (A-COUNT-08). */
export const ratedIn = (scope: Scope): RawBuilder<unknown> => sql`
  select distinct on (ticket_id) * from (${closingsIn(scope)} and rating is not null and ${isFinalizing}) rated order by ticket_id, revision desc`
/** The tickets created in the range (A-COUNT-02). */
export const createdIn = ({ companyId, range: { from, to }, filters }: Scope): RawBuilder<unknown> => sql`
  select * from ticket_fact
  where company_id = ${companyId} and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz and deleted_at is null
    and ${filtered(filters)}`
export { isFinalizing }
