import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Attendant, Bar, Counters, Measure, Now } from '#domain/dashboard/contract.ts'
import { roundHalfAway, sharesOf } from '#domain/report/arithmetic.ts'
import type { Database } from '../database.ts'
import { agentsIn, servesWithin } from './agents.ts'
import { finalizedTickets } from './open-hours.ts'
import { closingsIn, createdIn, type Filters, filtered, isFinalizing, ratedIn, type Scope, within } from './range.ts'

type Db = Kysely<Database>
type OfRange = Counters['previous']
const measures = ['waiting', 'firstAnswer', 'support', 'resolution', 'bot'] as const
const columnOf: Record<(typeof measures)[number], string> = {
  waiting: 'waiting_seconds',
  firstAnswer: 'first_answer_seconds',
  support: 'support_seconds',
  resolution: 'resolution_seconds',
  bot: 'bot_seconds',
}
const withHours = ['waiting', 'firstAnswer', 'support', 'resolution'] as const
/** The count, sum, median and 90th percentile of each column, as JSON (A-COUNT-12). */
export const measuredIn = (columns: [name: string, column: string][]) =>
  sql<Record<string, RawMeasure>>`jsonb_build_object(${sql.join(
    columns.map(([name, column]) => {
      const value = sql.ref(column)
      const quantiles = sql`percentile_cont(array[0.5, 0.9]::float8[]) within group (order by ${value})`
      return sql`${sql.lit(name)}, jsonb_build_object('n', count(${value}), 'sum', sum(${value}), 'quantiles', to_jsonb(${quantiles}))`
    }),
  )})`
export const measured = measuredIn(measures.map((name) => [name, columnOf[name]]))
const measuredClosed = measuredIn(withHours.map((name) => [name, `closed_${columnOf[name]}`]))
export type RawMeasure = { n: number; sum: number | null; quantiles: [number, number] | null }
export const measureOf = ({ n, sum, quantiles }: RawMeasure): Measure =>
  n === 0 || sum === null || quantiles === null
    ? { n: 0, average: null, median: null, p90: null }
    : { n, average: sum / n, median: quantiles[0], p90: quantiles[1] }
export const timesOf = (raw: Record<string, RawMeasure>) =>
  Object.fromEntries(measures.map((name) => [name, measureOf(raw[name]!)])) as OfRange['times']
const closedTimesOf = (raw: Record<string, RawMeasure> | null) =>
  raw && (Object.fromEntries(withHours.map((name) => [name, measureOf(raw[name]!)])) as NonNullable<OfRange['closedTimes']>)

export type Ratings = { rated: number; promoters: number; passive: number; detractors: number }
export const ratings = sql<Ratings>`count(*)::int as rated, count(*) filter (where rating >= 9)::int as promoters,
  count(*) filter (where rating between 7 and 8)::int as passive, count(*) filter (where rating <= 6)::int as detractors`
/** A-NPS-03 with A-COUNT-12: the score from whole counts, rounded once; the parts add up to 100. */
export function ratingsOf({ rated, promoters, passive, detractors }: Ratings, finalized: number) {
  const [npsPromotersPerc = 0, npsPassivePerc = 0, npsDetractorsPerc = 0] = sharesOf([promoters, passive, detractors])
  return {
    ...{ withRating: rated, promoters, passive, detractors, npsPromotersPerc, npsPassivePerc, npsDetractorsPerc },
    percRating: finalized === 0 ? 0 : Math.min(100, roundHalfAway((100 * rated) / finalized)),
    npsScore: rated === 0 ? 0 : roundHalfAway((100 * (promoters - detractors)) / rated),
  }
}

/** The numbers of a range, which have a period before. */
async function countRange(db: Db, scope: Scope): Promise<OfRange> {
  const { companyId, range, filters } = scope
  type Finalized = { finalized: number; times: Record<string, RawMeasure>; closed: Record<string, RawMeasure> | null }
  const [finished, rated, created, leads] = await Promise.all([
    sql<Finalized>`
      select count(*)::int as finalized, ${measured} as times, ${scope.openHours ? measuredClosed : sql`null::jsonb`} as closed
      from (${finalizedTickets(scope)}) f`.execute(db),
    sql<Ratings>`select ${ratings} from (${ratedIn(scope)}) r`.execute(db),
    sql<{ tickets: number; byUs: number }>`
      select count(*)::int as tickets, count(*) filter (where started_by_us)::int as by_us from (${createdIn(scope)}) c`.execute(db),
    countLeads(db, companyId, range, filters),
  ])
  const { finalized, times, closed } = finished.rows[0]!
  const { tickets, byUs } = created.rows[0]!
  return {
    ...{ supportFinished: finalized, tickets, startedByUs: byUs, leads, ...ratingsOf(rated.rows[0]!, finalized) },
    ...{ times: timesOf(times), closedTimes: closedTimesOf(closed) },
  }
}
/** Contacts have no queue: a limit counts those who have a ticket in its queues (A-VIS-04). */
async function countLeads(db: Db, companyId: number, { from, to }: Scope['range'], { connectionIds, limit }: Filters): Promise<number> {
  let found = db
    .selectFrom('contact')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('companyId', '=', companyId)
    .where(sql<boolean>`not is_group`)
    .where('createdAt', '>=', from)
    .where('createdAt', '<', to)
  if (connectionIds.length > 0) found = found.where('whatsappId', 'in', connectionIds)
  if (limit !== null)
    found = found.where(sql<boolean>`exists (select from ticket t where t.contact_id = contact.id and ${within(limit, 't.queue_id')})`)
  return (await found.executeTakeFirstOrThrow()).n
}

/** The counts of now. A retired user is not counted; a limit counts the agents of its queues. */
export async function countNow(db: Db, companyId: number, asked: Filters): Promise<Now> {
  const { connectionIds } = asked
  const filters = sql<boolean>`${filtered({ ...asked, connectionIds: [] })} and (${connectionIds.length === 0} or whatsapp_id = any(${connectionIds}::int[]))`
  const [tickets, users] = await Promise.all([
    sql<Omit<Now, 'usersOnline' | 'usersTotal'>>`
      select count(*) filter (where status = 'open')::int as support_happening,
        count(*) filter (where status = 'pending' and not is_bot)::int as support_pending,
        count(*) filter (where status = 'pending' and is_bot)::int as support_with_bot,
        count(*) filter (where status = 'group')::int as support_groups
      from ticket where company_id = ${companyId} and status in ('open', 'pending', 'group') and ${filters}`.execute(db),
    sql<Pick<Now, 'usersOnline' | 'usersTotal'>>`
      select count(*) filter (where p.online)::int as users_online, count(*)::int as users_total
      from "user" u left join user_presence p on p.id = u.id where u.company_id = ${companyId} and u.retired_at is null
        and ${servesWithin(asked.limit)}`.execute(db),
  ])
  return { ...tickets.rows[0]!, ...users.rows[0]! }
}

/** `previous`: the range to compare with. */
export async function countersOf(db: Db, scope: Scope, previous: Scope['range']): Promise<Counters> {
  const { companyId, range, filters } = scope
  const [now, ofRange, before, extra, reopened] = await Promise.all([
    countNow(db, companyId, filters),
    countRange(db, scope),
    countRange(db, { ...scope, range: previous }),
    sql<{ closings: number; reopenedSince: number; deletedSince: number; consentRefused: number }>`
      select count(*) filter (where ${isFinalizing})::int as closings,
        count(distinct ticket_id) filter (where ${isFinalizing} and ${isLast(range.to)} and reopened_at is not null)::int as reopened_since,
        count(distinct ticket_id) filter (where is_deleted)::int as deleted_since,
        count(*) filter (where reason = 'consentRefused' and not is_deleted)::int as consent_refused
      from (${closingsIn(scope)}) c`.execute(db),
    sql<{ n: number }>`
      select count(distinct ticket_id)::int as n from ticket_closing
      where company_id = ${companyId} and reopened_at >= ${range.from}::timestamptz and reopened_at < ${range.to}::timestamptz
        and not is_deleted and ${filtered(filters)}`.execute(db),
  ])
  return { ...now, ...ofRange, ...extra.rows[0]!, reopened: reopened.rows[0]!.n, previous: before }
}
const isLast = (to: string): RawBuilder<boolean> => sql`(next_at is null or next_at >= ${to}::timestamptz)`

/** Each agent and the tickets without an agent, most finalized tickets first (A-COUNT-08). */
export async function attendantsOf(db: Db, scope: Scope): Promise<Attendant[]> {
  type Row = Omit<Attendant, 'times' | 'avgWaitTime' | 'avgSupportTime'> & { measured: Record<string, RawMeasure> | null; retired: boolean }
  const { rows } = await sql<Row>`
    with finalized as (${finalizedTickets(scope)}),
    served as (
      select user_id, count(*)::int as tickets, ${measured} as measured,
        count(*) filter (where reason = 'agent' and closed_by = user_id)::int as by_hand,
        count(*) filter (where reason = 'closeAll')::int as close_all,
        count(*) filter (where reason in ('agent', 'ignored') and closed_by is distinct from user_id)::int as by_others,
        count(*) filter (where reason not in ('agent', 'ignored', 'closeAll'))::int as by_rule
      from finalized group by user_id),
    rated as (select user_id, count(*)::int as n, avg(rating)::float8 as rating from (${ratedIn(scope)}) r group by user_id),
    took_part as (select unnest(participant_ids) as user_id, count(*)::int as n from finalized group by 1),
    listed as (
      select user_id from (${agentsIn(scope)}) a union select user_id from served union select user_id from rated)
    select l.user_id as id, u.name, u.retired_at is not null or (u.id is null and l.user_id is not null) as removed,
      coalesce(p.online, false) as online, r.rating, coalesce(r.n, 0) as count_rating, coalesce(s.tickets, 0) as tickets, s.measured,
      coalesce(s.by_hand, 0) as by_hand, coalesce(s.by_rule, 0) as by_rule, coalesce(s.by_others, 0) as by_others,
      coalesce(s.close_all, 0) as close_all, coalesce(t.n, 0) as took_part
    from listed l
      left join "user" u on u.id = l.user_id and u.company_id = ${scope.companyId}
      left join served s on s.user_id is not distinct from l.user_id
      left join rated r on r.user_id is not distinct from l.user_id
      left join took_part t on t.user_id = l.user_id
      left join user_presence p on p.id = u.id
    order by tickets desc, u.name, u.id`.execute(db)
  return rows.map(({ measured: raw, ...row }) => {
    const times = raw ? timesOf(raw) : nothingMeasured
    return { ...row, avgWaitTime: minutes(times.waiting), avgSupportTime: minutes(times.support), times }
  })
}
const none: Measure = { n: 0, average: null, median: null, p90: null }
export const nothingMeasured = { waiting: none, firstAnswer: none, support: none, resolution: none, bot: none }
const minutes = ({ average }: Measure) => (average === null ? 0 : Math.round((average / 60) * 100) / 100)

type Counted = { name: string; total: number; finalized: number }
/** The tickets created and finalized per local day, or per local hour (A-COUNT-01). `name`: the day, or the hour as 07. */
async function countPer(db: Db, scope: Scope, zone: string, unit: 'day' | 'hour'): Promise<Map<string, Counted>> {
  const format = unit === 'day' ? 'YYYY-MM-DD' : 'HH24'
  const name = (column: string) => sql`to_char(${sql.ref(column)} at time zone ${zone}, ${format})`
  const { rows } = await sql<Counted>`
    select name, sum(total)::int as total, sum(finalized)::int as finalized from (
      select ${name('created_at')} as name, count(*) as total, 0 as finalized from (${createdIn(scope)}) c group by 1
      union all
      select name, 0, count(distinct ticket_id) from (select ${name('at')} as name, ticket_id from (${closingsIn(scope)} and ${isFinalizing}) f) d
      group by 1) counted
    group by name`.execute(db)
  return new Map(rows.map((row) => [row.name, row]))
}
/** `names`: every bar of the range, in order. */
export async function barsOf(
  db: Db,
  scope: Scope,
  zone: string,
  { unit, names }: { unit: 'day' | 'hour'; names: { name: string; future: boolean }[] },
): Promise<Bar[]> {
  const counted = await countPer(db, scope, zone, unit)
  return names.map(({ name, future }) => {
    const { total = 0, finalized = 0 } = counted.get(name) ?? {}
    return { ...(unit === 'day' ? { data: name } : { horario: name }), total, finalized, future }
  })
}
