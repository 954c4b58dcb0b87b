import { type Kysely, sql } from 'kysely'
import { type checklist, type Step, type StepName, steps } from '#domain/checklist/contract.ts'
import { dayMs } from '#domain/duration/rules.ts'
import { on } from '#domain/setting/contract.ts'
import type { Database } from '#projections/database.ts'
import type { AppContext } from '../context.ts'
import type { Handlers } from '../http/serve.ts'
import { settingsOf } from '../setting/read.ts'

const newForDays = 30

export const checklistRoutes = ({ db, clock }: Pick<AppContext, 'db' | 'clock'>): Handlers<typeof checklist> => ({
  async show({ viewer: { companyId } }) {
    const now = await settingsOf(db, companyId)
    if (!on(now, 'firstSteps')) return []
    const since = new Date(clock.now() - newForDays * dayMs)
    const made = await loadDoneSteps(db, companyId, since, on(now, 'sendGreetingMessageOneQueues'))
    if (!made) return []
    const done: Record<StepName, boolean> = { ...made, hours: now.scheduleType !== 'disabled' }
    return steps.every((step) => done[step]) ? [] : steps.map((step): Step => ({ step, done: done[step] }))
  },
})

/**
 * Returns which steps are done, from the rows that each step creates; null for companies founded before
 * `since`.
 */
async function loadDoneSteps(db: Kysely<Database>, companyId: number, since: Date, greetsForOne: boolean) {
  const { rows } = await sql<Record<Exclude<StepName, 'hours'>, boolean>>`
    select
      (select count(*) > 1 from "user" where company_id = ${companyId} and retired_at is null) as team,
      exists (select from queue where company_id = ${companyId} and retired_at is null) as queue,
      exists (select from connection where company_id = ${companyId} and status = 'CONNECTED') as connection,
      exists (
        select from connection c where c.company_id = ${companyId} and (trim(c.greeting_message) <> '' or ${greetsForOne} and (
          select count(*) = 1 and bool_or(trim(q.greeting_message) <> '') from connection_queue o join queue q on q.id = o.queue_id
          where o.connection_id = c.id and q.retired_at is null))) as greeting,
      exists (select from message where company_id = ${companyId} and from_me and user_id is null and not elsewhere and not is_private) as test
    from company where id = ${companyId} and created_at > ${since.toISOString()}`.execute(db)
  return rows[0] ?? null
}
