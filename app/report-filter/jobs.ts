import { type Kysely, sql } from 'kysely'
import { minuteMs } from '#domain/duration/rules.ts'
import { dueMail, isLate } from '#domain/report-filter/weekly.ts'
import type { Database } from '#projections/database.ts'
import type { AppContext } from '../context.ts'
import { job } from '../scheduler/jobs.ts'
import type { Recurring } from '../scheduler/recurring.ts'
import { settingsOf } from '../setting/read.ts'
import { type SendingDeps, sendReport } from './sending.ts'

/** Filters whose weekly mail is on. A private filter of a retired user is of no use to anyone. */
const mailedFilters = (db: Kysely<Database>) =>
  db
    .selectFrom('reportFilter as f')
    .innerJoin('user as u', 'u.id', 'f.userId')
    .innerJoin('company as c', 'c.id', 'f.companyId')
    .select(['f.id', 'f.companyId', 'f.userId', 'f.name', 'f.filter', 'f.shared', 'f.mail', 'f.mailedDay'])
    .where(sql<boolean>`f.mail @> '{"active": true}' and c.status and (f.shared or u.retired_at is null)`)

/** Mails the report of a filter to every recipient who has not got it, as long as it is due. Tries again with the next job. */
export const mailReport = job<SendingDeps>()<{ filterId: number; day: string }>('mail-report', {
  attempts: 1,
  queue: 'mail',
  async run({ filterId, day }, deps) {
    const { db, clock } = deps
    const filter = await mailedFilters(db).where('f.id', '=', filterId).executeTakeFirst()
    if (!filter?.mail) return
    const { timeZone } = await settingsOf(db, filter.companyId)
    const due = dueMail(timeZone, filter.mail, filter.mailedDay, clock.now())
    if (due?.day !== day) return // it was sent, moved or switched off meanwhile
    for (const userId of filter.mail.recipients)
      await sendReport(deps, { filter, userId, dueDay: day, ...due, late: isLate(timeZone, due, clock.now()) })
    const open = await db
      .selectFrom('reportMail')
      .select('id')
      .where('filterId', '=', filterId)
      .where('dueDay', '=', day)
      .where('state', 'in', ['waiting', 'sending'])
      .executeTakeFirst()
    if (!open) await db.updateTable('reportFilter').set({ mailedDay: day }).where('id', '=', filterId).execute()
  },
})

/** Adds the job of each due mail once a minute, until the mail is settled for all its recipients. */
export async function enqueueDueReports({ db, clock, enqueue }: Pick<AppContext, 'db' | 'clock' | 'enqueue'>): Promise<void> {
  const minute = Math.floor(clock.now() / minuteMs)
  for (const { id: filterId, companyId, mail, mailedDay } of await mailedFilters(db).execute()) {
    const { timeZone } = await settingsOf(db, companyId)
    const due = mail && dueMail(timeZone, mail, mailedDay, clock.now())
    if (due) await enqueue(mailReport, { filterId, day: due.day }, { id: `mail-report-${filterId}-${due.day}-${minute}` })
  }
}
export const reportMails: Recurring<AppContext> = { name: 'mail reports', everyMs: minuteMs, atStart: true, run: enqueueDueReports }
