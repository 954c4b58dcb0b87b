import { type Kysely, type RawBuilder, sql } from 'kysely'
import { dayMs } from '#domain/duration/rules.ts'
import type { Span } from '#domain/hours/spans.ts'
import { timelinesOf } from '#domain/hours/timelines.ts'
import { defaults } from '#domain/setting/contract.ts'
import type { Database } from '../database.ts'
import { measureBits } from './parts.ts'
import { finalizedIn, type OpenHours, type Scope } from './range.ts'
import { ruleVersionsOf } from './rule-versions.ts'

/*
 * Measures in open hours (A-COUNT-05, A-COUNT-14). They are computed when they are asked for, because a change of hours must not rebuild
 * the facts, and a fold reads no other table. A closing stores the parts of time that its measures consist of, and Postgres receives the
 * open time as sorted arrays; the open time of a part is the difference of two binary searches in them.
 */
type Db = Kysely<Database>

/** A moment of the database in milliseconds since 1970. */
export const ms = (moment: RawBuilder<unknown>): RawBuilder<number> => sql`round(date_part('epoch', ${moment}) * 1000)`

/** The open time of a company from its first ticket until its last closing, or until a later moment. */
export async function openHoursOf(db: Db, companyId: number, until = 0): Promise<OpenHours> {
  const [versions, { rows }] = await Promise.all([
    ruleVersionsOf(db, companyId),
    sql<{ from: number | null; to: number | null }>`
      select ${ms(sql`least((select min(created_at) from ticket_fact where company_id = ${companyId} and created_at is not null),
          (select min(created_at) from ticket where company_id = ${companyId}))`)} as from,
        ${ms(sql`(select max(at) from ticket_closing where company_id = ${companyId})`)} as to`.execute(db),
  ])
  const { from, to } = rows[0]!
  const period = { from: (from ?? 0) - dayMs, to: Math.max(to ?? 0, until) + dayMs } // a provider may tell a message late
  return { from: period.from, timelines: timelinesOf(versions, period, { timeZone: defaults.timeZone }) }
}

/** More milliseconds than any period has, so that the moments of many owners can be in one sorted array. */
const most = 1e12
/** How a query counts open time by the timelines of some owners. `base`: what the keys of a part's owner begin with. */
type Way = { base: RawBuilder<unknown>; between: (base: RawBuilder<unknown>) => RawBuilder<unknown> }

/**
 * Each owner has a range of `most` keys in one array of the starts of open spans; another array has the open milliseconds before each start.
 * The first owner has no id: its hours apply to every id that is not listed. `owner`: the id of a part `p`.
 */
function wayOf(begins: number, [others, ...owners]: [others: Owner, ...owners: Owner[]], owner: RawBuilder<unknown>): Way {
  const [starts, before] = [[] as number[], [0]]
  for (const [place, { spans }] of [others, ...owners].entries()) {
    starts.push(place * most)
    before.push(before.at(-1)!)
    for (const { from, to } of spans) {
      starts.push(place * most + from - begins)
      before.push(before.at(-1)! + to - from)
    }
  }
  const [startList, beforeList] = [sql`${starts}::float8[]`, sql`${before}::float8[]`]
  const ids = sql`${owners.map(({ id }) => id)}::int[]`
  const place = sql`width_bucket(${owner}, ${ids})`
  const until = (base: RawBuilder<unknown>, moment: RawBuilder<unknown>) => {
    const key = sql`(${base} + ${moment})`
    const n = sql`width_bucket(${key}, ${startList})`
    return sql`least((${beforeList})[${n} + 1], (${beforeList})[${n}] + ${key} - (${startList})[${n}])`
  }
  return {
    base: owners.length === 0 ? sql`0::float8` : sql`case when (${ids})[${place}] = ${owner} then ${place} * ${most}::float8 else 0 end`,
    between: (base) => sql`(${until(base, sql`m.ended`)} - ${until(base, sql`m.began`)})`,
  }
}
type Owner = { id: number; spans: Span[] }
const ownersOf = (owners: Map<number, Span[]>, others: Span[]): [Owner, ...Owner[]] => [
  { id: 0, spans: others },
  ...[...owners].map(([id, spans]) => ({ id, spans })).toSorted((a, b) => a.id - b.id),
]

/**
 * The open milliseconds of parts of time, as rows with `measures` and `open_ms`. `parts`: rows with `began` and `ended` in milliseconds since
 * 1970, `queue_id`, 0 without a queue, and `measures`. The connection is that of the row `c`.
 */
export function openParts({ from: begins, timelines }: OpenHours, parts: RawBuilder<unknown>): RawBuilder<unknown> {
  const { everywhere, queues, otherQueues, connections, otherConnections } = timelines
  const ways: Way[] = []
  if (queues.size > 0 || otherQueues.length > 0) ways.push(wayOf(begins, ownersOf(queues, otherQueues), sql`p.queue_id`))
  if (connections.size > 0 || otherConnections.length > 0)
    ways.push(wayOf(begins, ownersOf(connections, otherConnections), sql`c.connection_id`))
  if (everywhere.length > 0 || ways.length === 0) ways.push(wayOf(begins, ownersOf(new Map(), everywhere), sql`0`))
  const bases = ways.map(({ base }, i) => sql`${base} as ${sql.ref(`base_${i}`)}`)
  const open = ways.map(({ between }, i) => between(sql`m.${sql.ref(`base_${i}`)}`))
  const within = (moment: RawBuilder<unknown>) => sql`least(greatest(${moment} - ${begins}::float8, 0), ${most - 1}::float8)`
  return sql`
    select m.measures, ${sql.join(open, sql` + `)} as open_ms
    from (
      select p.measures, ${within(sql`p.began`)} as began, ${within(sql`p.ended`)} as ended, ${sql.join(bases)}
      from ${parts} offset 0) m
    offset 0`
}

/** The open seconds of each measure of a closing `c`, as a subquery with one row. */
export function openMeasures(hours: OpenHours): RawBuilder<unknown> {
  const parts = sql`unnest(c.part_from, c.part_to, c.part_queue_ids, c.part_measures) as p (began, ended, queue_id, measures)`
  const sum = (measure: keyof typeof measureBits) =>
    sql`floor(coalesce(sum(open_ms) filter (where measures & ${sql.lit(measureBits[measure])} > 0), 0) / 1000)::int`
  return sql`
    select ${sum('waiting')} as waiting, ${sum('firstAnswer')} as first_answer, ${sum('support')} as support, ${sum('resolution')} as resolution
    from (${openParts(hours, parts)}) parts`
}

/** The measures that have an open and a closed part. */
const columns = ['waiting', 'first_answer', 'support', 'resolution'] as const
/** A measured value in open seconds, and the closed rest of it; null where nothing was measured. */
const openPart = (name: string) => {
  const whole = sql`c.${sql.ref(`${name}_seconds`)}`
  return sql`case when ${whole} is not null then least(${whole}, o.${sql.ref(name)}) end`
}
const closedPart = (name: string) => sql`c.${sql.ref(`${name}_seconds`)} - ${openPart(name)}`

/** The finalized tickets of a range with their measures, in open seconds if the scope has hours. */
export function finalizedTickets(scope: Scope): RawBuilder<unknown> {
  const finalized = finalizedIn(scope)
  if (!scope.openHours) return finalized
  const parts = columns.flatMap((name) => [
    sql`${openPart(name)} as ${sql.ref(`${name}_seconds`)}`,
    sql`${closedPart(name)} as ${sql.ref(`closed_${name}_seconds`)}`,
  ])
  return sql`
    select c.ticket_id, c.revision, c.at, c.reason, c.user_id, c.closed_by, c.queue_id, c.bot_seconds, c.participant_ids, c.rating,
      c.reopened_at, ${sql.join(parts)}
    from (${finalized}) c cross join lateral (${openMeasures(scope.openHours)}) o`
}
