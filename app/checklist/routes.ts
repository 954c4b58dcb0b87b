import { type Kysely, sql } from 'kysely'
import { type checklist, type Step, type StepName, steps } from '#domain/checklist/contract.ts'
import { on } from '#domain/setting/contract.ts'
import type { Database } from '#projections/database.ts'
import type { House } from '../house.ts'
import type { Handlers } from '../http/serve.ts'
import { settingsOf } from '../setting/read.ts'

const newForDays = 30

export const checklistRoutes = ({ db, clock }: Pick<House, 'db' | 'clock'>): Handlers<typeof checklist> => ({
  async show({ viewer: { companyId } }) {
    const now = await settingsOf(db, companyId)
    if (!on(now, 'firstSteps')) return []
    const made = await madeBy(db, companyId, new Date(clock.now() - newForDays * 86_400_000))
    if (!made) return []
    const done: Record<StepName, boolean> = { ...made, hours: now.scheduleType !== 'disabled' }
    return steps.every((step) => done[step]) ? [] : steps.map((step): Step => ({ step, done: done[step] }))
  },
})

/** Each step by the rows that it makes, whoever made them; null where the company was founded before `since`. */
async function madeBy(db: Kysely<Database>, companyId: number, since: Date) {
  const { rows } = await sql<Record<Exclude<StepName, 'hours'>, boolean>>`
    select
      (select count(*) > 1 from "user" where company_id = ${companyId} and retired_at is null) as team,
      exists (select from queue where company_id = ${companyId} and retired_at is null) as queue,
      exists (select from connection where company_id = ${companyId} and status = 'CONNECTED') as connection,
      exists (select from connection where company_id = ${companyId} and trim(greeting_message) <> ''
        and exists (select from connection_queue where connection_id = connection.id)) as greeting,
      exists (select from message where company_id = ${companyId} and not from_me) as test
    from company where id = ${companyId} and created_at > ${since.toISOString()}`.execute(db)
  return rows[0] ?? null
}
