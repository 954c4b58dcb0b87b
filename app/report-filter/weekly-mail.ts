import type { Viewer } from '#domain/access.ts'
import { minuteMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'
import { mayEditFilter, type reportFilters, type WeeklyMailBody } from '#domain/report-filter/contract.ts'
import { dayAfter, mondayOf, type WeeklyMail } from '#domain/report-filter/rules.ts'
import { nextMail } from '#domain/report-filter/weekly.ts'
import { dayIn } from '#domain/zone/rules.ts'
import { audited } from '../audit/record.ts'
import type { AppContext } from '../context.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import type { Handlers } from '../http/serve.ts'
import { hasMail } from '../mail/send.ts'
import { filterSeenBy, filtersIn, reportReaders, sentReports, shownTo } from './read.ts'
import { type SendingDeps, sendReport } from './sending.ts'

type Person = { id: number; name: string }
/** The audit log shows the recipients by name. */
const auditedFields = (mail: WeeklyMail | null, people: Person[]) => ({
  mailActive: mail?.active ?? null,
  mailWeekday: mail?.weekday ?? null,
  mailTime: mail?.time ?? null,
  mailRecipients: mail?.recipients.map((id) => people.find((one) => one.id === id) ?? { id, name: `#${id}` }) ?? null,
})

/** Whether only the recipients differ, so that the schedule goes on. */
const keepsSchedule = (was: WeeklyMail | null, is: WeeklyMailBody): was is WeeklyMail =>
  was !== null && was.active === is.active && was.weekday === is.weekday && was.time === is.time

type Deps = SendingDeps & Pick<AppContext, 'db'>
export function weeklyMailRoutes(deps: Deps): Pick<Handlers<typeof reportFilters>, 'mail' | 'setMail' | 'testMail'> {
  const { db, clock } = deps
  const tests = createRateLimiter({ burst: 5, everyMs: minuteMs })
  const mailOf = async (on: Deps['db'], id: number) =>
    on.selectFrom('reportFilter').select(['mail', 'mailedDay']).where('id', '=', id).executeTakeFirstOrThrow()
  async function assertValid(viewer: Viewer, { active, recipients }: WeeklyMailBody): Promise<Person[]> {
    const people = await reportReaders(db, viewer)
    const isReader = (id: number) => people.some((one) => one.id === id)
    if ((active && recipients.length === 0) || !recipients.every(isReader)) refuse('ERR_REPORT_MAIL_RECIPIENT')
    if (active && !(await hasMail(deps))) refuse('ERR_MAIL_NOT_SET')
    return people
  }
  return {
    async mail({ viewer, params: { id } }) {
      await filterSeenBy(db, viewer, id)
      const [{ mail, mailedDay }, canMail, people, sent] = await Promise.all([
        ...([mailOf(db, id), hasMail(deps), reportReaders(db, viewer), sentReports(db, viewer, id)] as const),
      ])
      const next = mail && nextMail(viewer.timeZone, mail, mailedDay, clock.now())
      const { since: _, ...shown } = mail ?? { since: '' }
      return { mail: mail && (shown as WeeklyMailBody), nextAt: next && new Date(next.at).toISOString(), canMail, people, sent }
    },
    async setMail({ viewer, params: { id }, body, command }) {
      const people = await assertValid(viewer, body)
      await audited(db, { table: 'reportFilter' }, { viewer, command }, async (on) => {
        const row = await filterSeenBy(on, viewer, id, true)
        if (!mayEditFilter(viewer, row)) refuse('ERR_NO_PERMISSION')
        const { mail: was } = await mailOf(on, id)
        const mail: WeeklyMail = { ...body, since: keepsSchedule(was, body) ? was.since : clock.iso() }
        await on
          .updateTable('reportFilter')
          .set({ mail: JSON.stringify(mail) })
          .where('id', '=', id)
          .execute()
        const of = { id, companyId: viewer.companyId }
        return { before: { ...of, ...auditedFields(was, people) }, after: { ...of, ...auditedFields(mail, people) } }
      })
      return shownTo(viewer, await filtersIn(db, viewer).where('f.id', '=', id).executeTakeFirstOrThrow())
    },
    async testMail({ viewer, params: { id }, wire }) {
      const filter = await filterSeenBy(db, viewer, id)
      tests.consumeOrRefuse(viewer.id, wire)
      if (!(await hasMail(deps))) refuse('ERR_MAIL_NOT_SET')
      const monday = mondayOf(dayIn(viewer.timeZone, new Date(clock.now())))
      const week = { first: dayAfter(monday, -7), last: dayAfter(monday, -1) }
      await sendReport(deps, { filter, userId: viewer.id, dueDay: null, ...week, late: false })
      const [newest] = (await sentReports(db, viewer, id)).filter(({ userId, isTest }) => isTest && userId === viewer.id)
      return newest!
    },
  }
}
