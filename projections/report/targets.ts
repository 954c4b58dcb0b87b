import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Target } from '#domain/dashboard/contract.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import type { RuleVersion } from '#domain/hours/timelines.ts'
import { roundHalfAway } from '#domain/report/arithmetic.ts'
import type { TargetResult } from '#domain/report/contract.ts'
import { defaults } from '#domain/setting/contract.ts'
import type { Database } from '../database.ts'
import { ms, openHoursOf, openParts } from './open-hours.ts'
import { createdIn, type OpenHours, type Scope } from './range.ts'
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

/** The targets of a company, with what the query needs to apply them. Null: the company never had a target. */
async function targetRules(
  db: Kysely<Database>,
  companyId: number,
  now: number,
): Promise<{ targets: TargetVersion[]; hours: OpenHours } | null> {
  const targets = targetsOf(await ruleVersionsOf(db, companyId))
  return targets.every(({ limitMs }) => limitMs === null) ? null : { targets, hours: await openHoursOf(db, companyId, now) }
}

/**
 * The tickets created in the range, each with the result of its first answer (A-COUNT-15). The answer or the first closing ends the wait; an
 * answer exactly at the limit is in time.
 */
function resultsIn(scope: Scope, { targets, hours }: { targets: TargetVersion[]; hours: OpenHours }, now: number): RawBuilder<unknown> {
  const inForce = sql`width_bucket(c.asked, ${targets.map(({ from }) => from)}::float8[])`
  const parts = sql`(
    select greatest(${ms(sql`i.began_at`)}, c.asked) as began, least(coalesce(${ms(sql`i.ended_at`)}, c.ended), c.ended) as ended,
      coalesce(i.queue_id, 0) as queue_id, 0 as measures
    from ticket_interval i
    where i.ticket_id = c.id and ${ms(sql`i.began_at`)} < c.ended and coalesce(${ms(sql`i.ended_at`)}, c.ended) > c.asked) p`
  return sql`
    select id, case when is_late then 'missed' when is_late is null then 'without' when is_answered then 'met'
        when is_waiting then 'open' else 'without' end as result
    from (
      select c.id, c.answered <= c.ended as is_answered, c.closed is null or c.closed > c.ended as is_waiting,
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
        offset 0) c) t`
}

/** Compares the first answers of the tickets created in the range with the target. Null: the company never had a target. */
export async function targetOf(db: Kysely<Database>, scope: Scope, now: number): Promise<Target | null> {
  const rules = await targetRules(db, scope.companyId, now)
  if (!rules) return null
  const count = (result: string) => sql`count(*) filter (where result = ${result})::int`
  const { rows } = await sql<Omit<Target, 'percent'>>`
    select ${count('met')} as met, ${count('missed')} as missed, ${count('open')} as open, ${count('without')} as without
    from (${resultsIn(scope, rules, now)}) r`.execute(db)
  const { met, missed } = rows[0]!
  return { ...rows[0]!, percent: met + missed === 0 ? null : roundHalfAway((100 * met) / (met + missed)) }
}

/** The ids of the tickets that the target counts: those that met it, those that missed it, or both. */
export async function targetedIn(db: Kysely<Database>, scope: Scope, now: number, target: TargetResult): Promise<RawBuilder<unknown>> {
  const rules = await targetRules(db, scope.companyId, now)
  if (!rules) return sql`select null::int as id where false`
  const results = target === 'any' ? ['met', 'missed'] : [target]
  return sql`select id from (${resultsIn(scope, rules, now)}) r where result = any(${results}::text[])`
}
