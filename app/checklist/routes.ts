import { type Kysely, sql } from 'kysely'
import { type checklist, type Step, type StepName, steps } from '#domain/checklist/contract.ts'
import { dayMs } from '#domain/duration/rules.ts'
import { greetingOfOne, type MenuQueue } from '#domain/flow/menus.ts'
import type { Schedules } from '#domain/hours/contract.ts'
import { closesEveryWeek } from '#domain/hours/rules.ts'
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
    const made = await loadDoneSteps(db, companyId, since, now.scheduleType)
    if (!made) return []
    const { greetings, hours, ...rest } = made
    const greetsForOne = on(now, 'sendGreetingMessageOneQueues')
    const done: Record<StepName, boolean> = {
      ...rest,
      greeting: greetings.some((one) => isGreeted(one, greetsForOne)),
      hours: on(now, 'alwaysOpen') || hours.some(closesEveryWeek),
    }
    return steps.every((step) => done[step]) ? [] : steps.map((step): Step => ({ step, done: done[step] }))
  },
})

/** The greeting of a connection, and its queues. */
type Greeting = { greetingMessage: string | null; queues: Pick<MenuQueue, 'greetingMessage' | 'closeTicket'>[] }
/** Whether a new customer of the connection reads a greeting (A-BOT-02). */
function isGreeted({ greetingMessage, queues: [first, second] }: Greeting, greetsForOne: boolean): boolean {
  const text = first && !second ? greetingOfOne({ greetingMessage, greetsForOne, queue: first }) : greetingMessage
  return (text ?? '').trim() !== ''
}

type Made = Record<Exclude<StepName, 'greeting' | 'hours'>, boolean> & { greetings: Greeting[]; hours: Schedules[] }
/**
 * Returns which steps are done, from the rows that each step creates; null for companies founded before
 * `since`. `hours`: those outside of which a customer would read a text.
 */
async function loadDoneSteps(db: Kysely<Database>, companyId: number, since: Date, scheduleType: string): Promise<Made | null> {
  const { rows } = await sql<Made>`
    select
      (select count(*) > 1 from "user" where company_id = ${companyId} and retired_at is null) as team,
      exists (select from queue where company_id = ${companyId} and retired_at is null) as queue,
      exists (select from connection where company_id = ${companyId} and status = 'CONNECTED') as connection,
      coalesce((
        select json_agg(json_build_object('greetingMessage', c.greeting_message, 'queues', coalesce((
          select json_agg(json_build_object('greetingMessage', q.greeting_message, 'closeTicket', q.close_ticket))
          from connection_queue o join queue q on q.id = o.queue_id where o.connection_id = c.id and q.retired_at is null), '[]')))
        from connection c where c.company_id = ${companyId}), '[]') as greetings,
      coalesce(case ${scheduleType}
        when 'disabled' then null
        when 'queue' then (
          select json_agg(q.schedules) from queue q where q.company_id = ${companyId} and q.retired_at is null and trim(q.out_of_hours_message) <> '')
        else (
          select json_agg(case ${scheduleType} when 'company' then company.schedules else c.schedules end)
          from connection c where c.company_id = ${companyId} and trim(c.out_of_hours_message) <> '') end, '[]') as hours,
      exists (select from message where company_id = ${companyId} and from_me and user_id is null and not elsewhere and not is_private) as test
    from company where id = ${companyId} and created_at > ${since.toISOString()}`.execute(db)
  return rows[0] ?? null
}
