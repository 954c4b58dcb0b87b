import { type Kysely, sql } from 'kysely'
import type { Target } from '#domain/dashboard/contract.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import type { RuleVersion } from '#domain/hours/timelines.ts'
import { roundHalfAway } from '#domain/report/arithmetic.ts'
import { defaults } from '#domain/setting/contract.ts'
import type { Database } from '../database.ts'
import { ms, openHoursOf, openParts } from './open-hours.ts'
import { createdIn, type Scope } from './range.ts'
import { ruleVersionsOf } from './rule-versions.ts'

type TargetVersion = { from: number; limitMs: number | null; inOpenHours: boolean }

/** The targets of a company, each from a moment on. */
export function targetsOf(versions: readonly RuleVersion[]): TargetVersion[] {
  const changes = versions.filter(({ kind }) => kind === 'firstAnswerTarget' || kind === 'firstAnswerTargetOpenHours')
  const momentOf = ({ validFrom }: RuleVersion) => (validFrom === null ? -Infinity : Date.parse(validFrom))
  const at = (moment: number, key: 'firstAnswerTarget' | 'firstAnswerTargetOpenHours') =>
    (changes.findLast((one) => one.kind === key && momentOf(one) <= moment)?.value as string | undefined) ?? defaults[key]
  return [...new Set(changes.map(momentOf))]
    .toSorted((a, b) => a - b)
    .map((from) => {
      const minutes = at(from, 'firstAnswerTarget')
      return {
        from: Math.max(from, -1e15),
        limitMs: minutes === '' ? null : Number(minutes) * minuteMs,
        inOpenHours: at(from, 'firstAnswerTargetOpenHours') === 'enabled',
      }
    })
}

/**
 * Compares the first answers of the tickets created in the range with the target (A-COUNT-15). The answer or the first closing ends the wait;
 * an answer exactly at the limit is in time. Null: the company never had a target.
 */
export async function targetOf(db: Kysely<Database>, scope: Scope, now: number): Promise<Target | null> {
  const { companyId } = scope
  const targets = targetsOf(await ruleVersionsOf(db, companyId))
  if (targets.every(({ limitMs }) => limitMs === null)) return null
  const hours = await openHoursOf(db, companyId, now)
  const inForce = sql`width_bucket(c.asked, ${targets.map(({ from }) => from)}::float8[])`
  const parts = sql`(
    select greatest(${ms(sql`i.began_at`)}, c.asked) as began, least(coalesce(${ms(sql`i.ended_at`)}, c.ended), c.ended) as ended,
      coalesce(i.queue_id, 0) as queue_id, 0 as measures
    from ticket_interval i
    where i.ticket_id = c.id and ${ms(sql`i.began_at`)} < c.ended and coalesce(${ms(sql`i.ended_at`)}, c.ended) > c.asked) p`
  const { rows } = await sql<Omit<Target, 'percent'>>`
    select count(*) filter (where is_answered and not is_late)::int as met, count(*) filter (where is_late)::int as missed,
      count(*) filter (where not is_answered and not is_late and is_waiting)::int as open,
      count(*) filter (where is_late is null or not is_answered and not is_late and not is_waiting)::int as without
    from (
      select c.answered <= c.ended as is_answered, c.closed is null or c.closed > c.ended as is_waiting,
        case when c.ended - c.asked <= c.limit_ms or not c.in_open_hours then c.ended - c.asked > c.limit_ms
          else (select coalesce(sum(o.open_ms), 0) from (${openParts(hours, parts)}) o) > c.limit_ms end as is_late
      from (
        select c.*, (${targets.map(({ limitMs }) => limitMs)}::float8[])[${inForce}] as limit_ms,
          (${targets.map(({ inOpenHours }) => inOpenHours)}::bool[])[${inForce}] as in_open_hours
        from (
          select w.*, greatest(w.asked, least(w.answered, w.closed, ${now}::float8)) as ended
          from (
            select f.id, f.connection_id, ${ms(sql`f.asked`)} as asked, coalesce(${ms(sql`f.first_answer_at`)}, 'infinity') as answered,
              (select ${ms(sql`k.at`)} from ticket_closing k where k.ticket_id = f.id and k.at >= f.asked order by k.revision limit 1) as closed
            from (
              select f.id, f.connection_id, f.first_answer_at, least(f.asked_at, (
                select i.began_at from ticket_interval i where i.ticket_id = f.id and i.state = 'waiting' order by i.revision limit 1)) as asked
              from (${createdIn(scope)}) f
              offset 0) f
            offset 0) w
          offset 0) c
        offset 0) c) t`.execute(db)
  const { met, missed } = rows[0]!
  return { ...rows[0]!, percent: met + missed === 0 ? null : roundHalfAway((100 * met) / (met + missed)) }
}
