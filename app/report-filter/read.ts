import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { maskedName } from '#domain/contact/phone.ts'
import { refuse } from '#domain/errors.ts'
import { maySeeFilter, type ReportFilterRow, type SentReport } from '#domain/report-filter/contract.ts'
import type { Database } from '#projections/database.ts'
import { inNameOrder } from '#projections/name-order.ts'

type Db = Kysely<Database>

const weekly = sql<boolean>`coalesce(f.mail @> '{"active": true}', false)`.as('weekly')
export const filtersIn = (db: Db, { companyId }: Pick<Viewer, 'companyId'>) =>
  db
    .selectFrom('reportFilter as f')
    .innerJoin('user as u', 'u.id', 'f.userId')
    .select(['f.id', 'f.companyId', 'f.userId', 'u.name as userName', 'f.name', 'f.filter', 'f.shared', 'f.version', weekly])
    .where('f.companyId', '=', companyId)
export type FilterRow = ReportFilterRow & { companyId: number }

/** Numbers in the name and in the search are masked for this viewer (A-LGPD-04). */
export function shownTo({ masked }: Viewer, { companyId: _, ...row }: FilterRow): ReportFilterRow {
  if (!masked) return row
  const { searchParam } = row.filter
  const filter = { ...row.filter, ...(searchParam !== undefined && { searchParam: maskedName(searchParam) }) }
  return { ...row, name: maskedName(row.name), userName: maskedName(row.userName), filter }
}

export async function filterSeenBy(db: Db, viewer: Viewer, id: number, lock = false): Promise<FilterRow> {
  const one = filtersIn(db, viewer).where('f.id', '=', id)
  const row = await (lock ? one.forUpdate('f') : one).executeTakeFirst()
  return row && maySeeFilter(viewer, row) ? row : refuse('ERR_NO_REPORT_FILTER_FOUND')
}

/** The users who may see the report. */
export const reportReaders = (db: Db, { companyId, companyLanguage }: Viewer): Promise<{ id: number; name: string }[]> =>
  db
    .selectFrom('user')
    .select(['id', 'name'])
    .where('companyId', '=', companyId)
    .where('retiredAt', 'is', null)
    .where(sql<boolean>`(profile = 'admin' or flags @> '{"showDashboard": true}')`)
    .orderBy(inNameOrder(companyLanguage, 'name'))
    .orderBy('id')
    .execute()

const mostSent = 60
/** The last mails of a filter, newest first. */
export async function sentReports(db: Db, { companyId, masked }: Viewer, filterId: number): Promise<SentReport[]> {
  const rows = await db
    .selectFrom('reportMail as m')
    .innerJoin('user as u', 'u.id', 'm.userId')
    .select(['m.id', 'm.userId', 'u.name as userName', 'm.firstDay', 'm.lastDay', 'm.state', 'm.reason', 'm.rows', 'm.withFile', 'm.late'])
    .select([sql<boolean>`m.due_day is null`.as('isTest'), sql<string>`coalesce(m.ended_at, m.began_at)`.as('at')])
    .where('m.companyId', '=', companyId)
    .where('m.filterId', '=', filterId)
    .orderBy('m.id', 'desc')
    .limit(mostSent)
    .execute()
  return rows.map((row) => (masked ? { ...row, userName: maskedName(row.userName) } : row))
}
