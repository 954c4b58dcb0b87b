import { type Kysely, sql } from 'kysely'
import type { TypedMessage } from '#domain/decider.ts'
import { dayMs } from '#domain/duration/rules.ts'
import { settings } from '#domain/setting/contract.ts'
import { dayIn } from '#domain/zone/rules.ts'
import type { Database } from '#projections/database.ts'
import type { Reactor } from '../event-store/reactor.ts'
import type { Clock } from '../scheduler/clock.ts'

/** The answer of the last query, and until when it is used. */
export type ExpiredCompanies = { ids: ReadonlySet<number>; until: number }
type Deps = { db: Kysely<Database>; clock: Pick<Clock, 'now'>; caches: { expiredCompanies: ExpiredCompanies | null } }
const believedMs = 2000

/**
 * Companies with an expired subscription. Messages from customers are still stored; bots, timers, ratings and
 * rotation pause until the company pays (A-AUTH-06).
 */
export async function expiredCompanies({ db, clock, caches }: Deps): Promise<ReadonlySet<number>> {
  const now = clock.now()
  const last = caches.expiredCompanies
  if (last && last.until > now && last.until <= now + believedMs) return last.ids
  const { rows } = await sql<{ id: number; dueDate: string; timeZone: string | null }>`
    select c.id, c.due_date::text, s.value as time_zone
    from company c left join company_setting s on s.company_id = c.id and s.key = 'timeZone'
    where c.id <> 1 and c.due_date < ${new Date(now + dayMs).toISOString()}::date`.execute(db)
  const isOver = (row: (typeof rows)[number]) => row.dueDate < dayIn(row.timeZone ?? settings.timeZone.default, new Date(now))
  const ids = new Set(rows.filter(isOver).map(({ id }) => id))
  caches.expiredCompanies = { ids, until: now + believedMs }
  return ids
}

/** A reactor that skips events of companies with an expired subscription. */
export const whilePaid = <E extends TypedMessage, D>(reactor: Reactor<E, D>): Reactor<E, D & Deps> => ({
  ...reactor,
  on: Object.fromEntries(
    Object.entries<(event: never, deps: D) => Promise<unknown>>(reactor.on as never).map(([type, react]) => [
      type,
      async (event: { companyId: number }, deps: D & Deps) => {
        if (!(await expiredCompanies(deps)).has(event.companyId)) await react(event as never, deps)
      },
    ]),
  ) as never,
})
