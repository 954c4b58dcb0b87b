import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MomentCounts } from '#domain/dashboard/contract.ts'
import type { PanelMomentRow } from '#domain/panel/contract.ts'
import type { Points } from '#domain/report/moments.ts'
import { joinShown } from '../contact/person.ts'
import type { Database } from '../database.ts'
import { labelsFor } from '../labels.ts'
import { closingsIn, createdIn, type Filters, filtered, isFinalizing } from './range.ts'
import type { IntervalState } from './tables.ts'

type Db = Kysely<Database>

/** The intervals of a company that overlap the time from `from` to `to`, both included. */
const intervalsDuring = (companyId: number, from: string, to: string): RawBuilder<unknown> => sql`
  select * from ticket_interval
  where int4range(company_id, company_id, '[]') @> ${companyId}::int
    and tstzrange(began_at, ended_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz, '[]')`

/** When the ticket of interval `i` last came into its state. A change of queue or agent continues the state. */
const stateBegan = sql<string>`(
  select max(began_at) from (
    select began_at, state, lag(state) over w as state_before, lag(ended_at) over w as ended_before
    from ticket_interval where ticket_id = i.ticket_id and revision <= i.revision window w as (order by revision)) earlier
  where state = i.state and (state_before is distinct from state or ended_before <> began_at))`

/** The waiting tickets of `/dashboard/now` contain those whose contact has not written yet. */
type Kind = 'open' | 'pending' | 'bot' | 'group' | 'created' | 'finalized'
const kindOf: Record<Exclude<IntervalState, 'consent' | 'rating'>, Kind> = {
  open: 'open',
  waiting: 'pending',
  quiet: 'pending',
  bot: 'bot',
  group: 'group',
  groupWaiting: 'pending',
}
const shownStates = Object.keys(kindOf)

/**
 * The counts at each point (A-PAST-01). Every interval, creation and closing counts from one point up to another, which is computed, so the
 * work depends on the tickets of the day and not on the number of points.
 */
export async function countsAt(db: Db, companyId: number, filters: Filters, points: Points): Promise<MomentCounts[]> {
  const { dayBegins, first, stepMs, n } = points
  const momentOf = (point: number) => new Date(Date.parse(first) + point * stepMs).toISOString()
  const last = momentOf(n - 1)
  const steps = (column: RawBuilder<unknown>) => sql`(extract(epoch from ${column} - ${first}::timestamptz) / ${stepMs / 1000})`
  const limited = (point: RawBuilder<unknown>) => sql`greatest(0, least(${n}, ${point}))::int`
  /** The first point at or after a time, and the first after it. Without a time: `n`, because Postgres ignores null here. */
  const from = (column: string) => limited(sql`ceil(${steps(sql.ref(column))})`)
  const after = (column: string) => limited(sql`floor(${steps(sql.ref(column))}) + 1`)
  const scope = { companyId, range: { from: dayBegins, to: last }, filters }
  const everyone = { ...scope, filters: { queueIds: [], connectionIds: [], userIds: [], limit: null } }
  const { rows } = await sql<{ point: number; kind: IntervalState | 'created' | 'finalized'; n: number; since: string | null }>`
    with spans as (
      select state as kind, ${from('began_at')} as begins, ${from('ended_at')} as ends,
        case when state = 'waiting' then ${stateBegan} end as since
      from (${intervalsDuring(companyId, first, last)} and state = any(${shownStates}::text[]) and ${filtered(filters)}) i
      union all
      select 'created', greatest(${after('created_at')}, ${from('stay_begins')}), ${from('stay_ends')}, null
      from (
        select c.created_at, c.connection_id, coalesce(s.stay_begins, c.created_at) as stay_begins, s.stay_ends,
          case when s.ticket_id is null then c.queue_id else s.queue_id end as queue_id,
          case when s.ticket_id is null then c.user_id else s.user_id end as user_id
        from (${createdIn(everyone)}) c left join lateral (
          select ticket_id, queue_id, user_id, case when lag(revision) over w is not null then began_at else c.created_at end as stay_begins,
            lead(began_at) over w as stay_ends
          from ticket_interval where ticket_id = c.id window w as (order by revision)) s on true) placed
      where ${filtered(filters)}
      union all
      select 'finalized', ${after('at')}, ${after('next_at')}, null from (${closingsIn(scope)} and ${isFinalizing}) f),
    grouped as (select kind, begins, ends, count(*) as n, min(since) as since from spans where begins < ends group by 1, 2, 3)
    select point, kind, sum(n)::int as n, min(since) as since
    from grouped cross join lateral generate_series(begins, ends - 1) as point group by 1, 2`.execute(db)
  const counts = Array.from({ length: n }, (_, point) => ({ moment: momentOf(point), ...nothing }))
  for (const { point, kind, n: tickets, since } of rows) {
    const one = counts[point]!
    one[fieldOf[kind === 'created' || kind === 'finalized' ? kind : kindOf[kind as keyof typeof kindOf]]] += tickets
    if (since !== null) one.longestWait = Math.max(0, Math.floor((Date.parse(one.moment) - Date.parse(since)) / 1000))
  }
  return counts
}
const fieldOf: Record<Kind, Exclude<keyof MomentCounts, 'moment' | 'longestWait'>> = {
  open: 'supportHappening',
  pending: 'supportPending',
  bot: 'supportWithBot',
  group: 'supportGroups',
  created: 'tickets',
  finalized: 'supportFinished',
}
const nothing: Omit<MomentCounts, 'moment'> = {
  ...{ supportHappening: 0, supportPending: 0, supportWithBot: 0, supportGroups: 0, tickets: 0, supportFinished: 0 },
  longestWait: null,
}

type Flat = Omit<PanelMomentRow, 'queue' | 'user'> & { companyId: number; labelVersion: number | null }
/** The active tickets at a moment, those that came into their place first at the front; one page, and one row more if there are others. */
export async function ticketsAt(
  db: Db,
  companyId: number,
  filters: Filters,
  { moment, offset, limit }: { moment: string; offset: number; limit: number },
): Promise<PanelMomentRow[]> {
  const { rows } = await sql<Flat>`
    select i.ticket_id as id, f.uuid, f.channel, c.name as contact_name,
      case when i.state = 'groupWaiting' then 'waiting' else i.state end as state, i.queue_id, i.user_id, ${stateBegan} as since,
      i.company_id, v.version as label_version
    from (
      ${intervalsDuring(companyId, moment, moment)} and state in ('waiting', 'quiet', 'groupWaiting', 'bot', 'open') and ${filtered(filters)}
      order by began_at, ticket_id limit ${limit} offset ${offset}) i
      join ticket_fact f on f.id = i.ticket_id ${joinShown(sql`f.contact_id`)} left join label_version v on v.company_id = i.company_id
    order by i.began_at, i.ticket_id`.execute(db)
  const labels = (await labelsFor(db, rows)).get(companyId)
  return rows.map(({ companyId: _, labelVersion: __, ...row }) => ({
    ...row,
    queue: (row.queueId !== null && labels?.queues.get(row.queueId)) || null,
    user: (row.userId !== null && labels?.users.get(row.userId)) || null,
  }))
}
