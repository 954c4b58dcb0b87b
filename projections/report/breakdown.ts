import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Group, Grouping, WeekHour } from '#domain/dashboard/contract.ts'
import type { Database } from '../database.ts'
import { agentsIn } from './agents.ts'
import {
  measured,
  measuredIn,
  measureOf,
  nothingMeasured,
  type Ratings,
  type RawMeasure,
  ratings,
  ratingsOf,
  timesOf,
} from './dashboard.ts'
import { finalizedTickets } from './open-hours.ts'
import { createdIn, finalizedIn, ratedIn, type Scope } from './range.ts'

type Db = Kysely<Database>

const columnOf: Record<Grouping, string> = { queue: 'queue_id', connection: 'connection_id', user: 'user_id', tag: 'tag_id' }
/** Users and queues keep their rows when they are removed; connections and tags do not. */
const retiredOf: Record<Grouping, RawBuilder<boolean>> = {
  queue: sql`n.retired_at is not null`,
  user: sql`n.retired_at is not null`,
  connection: sql`false`,
  tag: sql`false`,
}
/** The tickets with the tags of their contacts: a row per tag, and one for a ticket without tags. */
const withTags = (tickets: RawBuilder<unknown>, ticketId: string) => sql`
  select t.*, tagged.tag_id from (${tickets}) t join ticket_fact fact on fact.id = ${sql.ref(`t.${ticketId}`)}
    left join contact own on own.id = fact.contact_id
    left join (contact_tag tagged join tag on tag.id = tagged.tag_id and tag.kanban = 0) on tagged.contact_id = coalesce(own.person_id, fact.contact_id)`

/**
 * The tickets created and finalized in the range per value, most finalized first, those without a value last. Agents are the same as in the
 * table of agents, also without tickets (A-VIS-04).
 */
export async function groupsOf(db: Db, scope: Scope, by: Grouping): Promise<Group[]> {
  const key = sql.ref(columnOf[by])
  const tickets = (of: RawBuilder<unknown>, ticketId: string) => (by === 'tag' ? withTags(of, ticketId) : of)
  const agents = by === 'user' ? sql`union select user_id from (${agentsIn(scope)}) a` : sql``
  type Row = Ratings &
    Pick<Group, 'id' | 'name' | 'color' | 'removed' | 'created' | 'finalized'> & { measured: Record<string, RawMeasure> | null }
  const { rows } = await sql<Row>`
    with finalized as (
      select coalesce(${key}, 0) as key, count(*)::int as finalized, ${measured} as measured
      from (${tickets(finalizedTickets(scope), 'ticket_id')}) f group by 1),
    rated as (select coalesce(${key}, 0) as key, ${ratings} from (${tickets(ratedIn(scope), 'ticket_id')}) r group by 1),
    created as (select coalesce(${key}, 0) as key, count(*)::int as n from (${tickets(createdIn(scope), 'id')}) c group by 1)
    select nullif(x.key, 0) as id, n.name, n.color, x.key <> 0 and (n.id is null or ${retiredOf[by]}) as removed,
      coalesce(c.n, 0) as created, coalesce(f.finalized, 0) as finalized, f.measured, coalesce(r.rated, 0) as rated,
      coalesce(r.promoters, 0) as promoters, coalesce(r.passive, 0) as passive, coalesce(r.detractors, 0) as detractors
    from (select key from finalized union select key from created union select key from rated ${agents}) x
      left join finalized f on f.key = x.key left join created c on c.key = x.key left join rated r on r.key = x.key
      left join ${sql.table(by)} n on n.id = x.key and n.company_id = ${scope.companyId}
    order by x.key = 0, finalized desc, created desc, x.key`.execute(db)
  return rows.map(({ id, name, color: shown, removed, created, finalized, measured: raw, ...parts }) => {
    const { withRating, npsScore } = ratingsOf(parts, finalized)
    return { id, name, color: shown, removed, created, finalized, withRating, npsScore, times: raw ? timesOf(raw) : nothingMeasured }
  })
}

/** The hour of the week of a moment in the zone, from 0 (Monday, midnight to one) to 167. */
export function weekHourOf(moment: RawBuilder<unknown>, zone: string): RawBuilder<number> {
  const local = sql`(${moment} at time zone ${zone})`
  return sql`((extract(isodow from ${local})::int - 1) * 24 + extract(hour from ${local})::int)`
}

/** The hours of the week with tickets: how many were created, and how long those that began to wait then waited. */
export async function weekOf(db: Db, scope: Scope, zone: string): Promise<WeekHour[]> {
  const { rows } = await sql<{ weekHour: number; created: number; waiting: RawMeasure | null }>`
    with created as (select ${weekHourOf(sql`created_at`, zone)} as hour, count(*)::int as n from (${createdIn(scope)}) c group by 1),
    waited as (
      select ${weekHourOf(sql`i.began_at`, zone)} as hour, ${measuredIn([['waiting', 'waiting_seconds']])} as measured
      from (${finalizedIn(scope)}) f
        join lateral (select began_at from ticket_interval where ticket_id = f.ticket_id and state = 'waiting' order by revision limit 1) i on true
      group by 1)
    select coalesce(c.hour, w.hour) as week_hour, coalesce(c.n, 0) as created, w.measured -> 'waiting' as waiting
    from created c full join waited w on w.hour = c.hour order by 1`.execute(db)
  return rows.map(({ weekHour, created, waiting }) => ({
    ...{ weekHour, created },
    waiting: waiting ? measureOf(waiting) : nothingMeasured.waiting,
  }))
}
