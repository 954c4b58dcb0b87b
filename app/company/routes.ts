import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { CompanyHours, companyHours } from '#domain/company/contract.ts'
import { refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { audited } from '../audit/record.ts'
import { checkHours } from '../connection/save.ts'
import type { Handlers } from '../http/serve.ts'
import { settingsOf } from '../setting/read.ts'
import { proposeHolidays } from './holidays.ts'

const companyList = { table: 'company' }
/** Enough for ten years. Holidays are read with every message, so the number is limited. */
const mostHolidays = 500

async function hoursOf(on: Kysely<Database>, companyId: number): Promise<CompanyHours & { companyId: number }> {
  const company = on
    .selectFrom('company')
    .select(['id', 'id as companyId', 'schedules', 'hoursVersion as version'])
    .where('id', '=', companyId)
  const holidays = on.selectFrom('holiday').select(['date', 'name']).where('companyId', '=', companyId).orderBy('date')
  return { ...((await company.executeTakeFirst()) ?? refuse('ERR_NOT_FOUND')), holidays: await holidays.execute() }
}

/** One’s own company, or for a super user any; another one does not exist. */
const mine = (viewer: Viewer, id: number): number => (viewer.super || viewer.companyId === id ? id : refuse('ERR_NOT_FOUND'))
const published = ({ companyId: _, ...hours }: CompanyHours & { companyId: number }): CompanyHours => hours

export const companyRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof companyHours> => ({
  find: async ({ viewer, params }) => published(await hoursOf(db, mine(viewer, params.id))),
  async setSchedules({ params, body: { schedules, version }, ...act }) {
    const id = mine(act.viewer, params.id)
    checkHours(schedules)
    const row = await audited(db, companyList, act, async (on) => {
      await on.selectFrom('company').select('id').where('id', '=', id).forNoKeyUpdate().execute()
      const before = await hoursOf(on, id)
      if (version !== undefined && version !== before.version) refuse('ERR_ROW_CHANGED', { version: before.version })
      await on
        .updateTable('company')
        .set({ schedules: JSON.stringify(schedules), hoursVersion: before.version + 1 })
        .where('id', '=', id)
        .execute()
      return { before, after: await hoursOf(on, id) }
    })
    return published(row)
  },
  async proposeHolidays({ viewer, params, query }) {
    const id = mine(viewer, params.id)
    return proposeHolidays(query, (await settingsOf(db, id)).timeZone)
  },
  async changeHolidays({ params, body: { added, taken }, ...act }) {
    const id = mine(act.viewer, params.id)
    const days = new Set(added.map(({ date }) => date))
    if (days.size < added.length) refuse('ERR_INVALID_INPUT', { field: 'added', rule: 'uniqueItems' })
    const row = await audited(db, companyList, act, async (on) => {
      await on.selectFrom('company').select('id').where('id', '=', id).forUpdate().execute()
      const before = await hoursOf(on, id)
      const gone = [...taken, ...days]
      if (gone.length > 0) await on.deleteFrom('holiday').where('companyId', '=', id).where('date', 'in', gone).execute()
      const rows = added.map(({ date, name }) => ({ companyId: id, date, name: name.trim() }))
      if (rows.length > 0) await on.insertInto('holiday').values(rows).execute()
      const after = await hoursOf(on, id)
      if (after.holidays.length > mostHolidays) refuse('ERR_INVALID_INPUT', { field: 'added', rule: 'maxItems' })
      return { before, after }
    })
    return published(row)
  },
})
