import { type Kysely, sql } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'

/** The numbers that a plan limits: how to count them, and the error at the limit. */
const limited = {
  users: {
    standing: sql<number>`(select count(*)::int from "user" where company_id = company.id and retired_at is null)`,
    full: 'ERR_PLAN_USERS',
  },
  connections: {
    standing: sql<number>`(select count(*)::int from connection where company_id = company.id)`,
    full: 'ERR_PLAN_CONNECTIONS',
  },
  queues: {
    standing: sql<number>`(select count(*)::int from queue where company_id = company.id and retired_at is null)`,
    full: 'ERR_PLAN_QUEUES',
  },
} as const

/**
 * Refuses if the company's plan has no room for one more (A-PLAN-01). Existing rows beyond the limit stay.
 * Runs in the inserting transaction, so that a concurrent insert waits and is counted.
 */
export async function requirePlanCapacity(on: Kysely<Database>, companyId: number, what: keyof typeof limited): Promise<void> {
  const company = on.selectFrom('company').where('company.id', '=', companyId)
  const { planId } = await company.select('planId').forNoKeyUpdate().executeTakeFirstOrThrow()
  if (planId === null) return
  const plan = await on.selectFrom('plan').select(what).where('id', '=', planId).executeTakeFirstOrThrow()
  const limit = plan[what]
  if (limit === null) return
  const { n } = await company.select(limited[what].standing.as('n')).executeTakeFirstOrThrow()
  if (n >= limit) refuse(limited[what].full, { limit })
}
