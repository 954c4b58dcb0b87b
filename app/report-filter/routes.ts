import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { refuse } from '#domain/errors.ts'
import { mayEditFilter, type reportFilters } from '#domain/report-filter/contract.ts'
import { mostFilters } from '#domain/report-filter/rules.ts'
import type { Database } from '#projections/database.ts'
import { inNameOrder } from '#projections/name-order.ts'
import { toCells } from '#projections/postgres.ts'
import { type Audited, audited } from '../audit/record.ts'
import type { Handlers } from '../http/serve.ts'
import { type FilterRow, filterSeenBy, filtersIn, shownTo } from './read.ts'
import type { SendingDeps } from './sending.ts'
import { weeklyMailRoutes } from './weekly-mail.ts'

type Db = Kysely<Database>
/** A filter may contain a number, so the audit log shows only that it changed. */
const list: Audited = { table: 'reportFilter', masked: ['filter'] }

async function filterToChange(db: Db, viewer: Viewer, id: number): Promise<FilterRow> {
  const row = await filterSeenBy(db, viewer, id, true)
  if (!mayEditFilter(viewer, row)) refuse('ERR_NO_PERMISSION')
  return row
}

/** Locks the owner, so that calls at the same time count each other's filters. */
async function assertRoom(on: Db, { id }: Viewer): Promise<void> {
  await on.selectFrom('user').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const { n } = await on
    .selectFrom('reportFilter')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('userId', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(n) >= mostFilters) refuse('ERR_REPORT_FILTERS_TOO_MANY', { most: mostFilters })
}

export function reportFilterRoutes(deps: SendingDeps): Handlers<typeof reportFilters> {
  const { db } = deps
  return {
    ...weeklyMailRoutes(deps),
    async list({ viewer }) {
      const own = filtersIn(db, viewer).where(({ eb, or }) => or([eb('f.userId', '=', viewer.id), eb('f.shared', '=', true)]))
      const rows = await own.orderBy(inNameOrder(viewer.companyLanguage, 'f.name')).orderBy('f.id').execute()
      return { filters: rows.map((row) => shownTo(viewer, row)) }
    },
    find: async ({ viewer, params: { id } }) => shownTo(viewer, await filterSeenBy(db, viewer, id)),
    async create({ viewer, body: { name, filter, shared }, command }) {
      const made = await audited(db, list, { viewer, command }, async (on) => {
        await assertRoom(on, viewer)
        const row = { companyId: viewer.companyId, userId: viewer.id, name: name.trim(), filter: JSON.stringify(filter), shared }
        const { id } = await on.insertInto('reportFilter').values(row).returning('id').executeTakeFirstOrThrow()
        return { before: null, after: await filterSeenBy(on, viewer, id) }
      })
      return shownTo(viewer, made)
    },
    async update({ viewer, params: { id }, body: { version, ...body }, command }) {
      const changed = await audited(db, list, { viewer, command }, async (on) => {
        const before = await filterToChange(on, viewer, id)
        if (version !== undefined && version !== before.version) refuse('ERR_ROW_CHANGED', { version: before.version })
        if (Object.keys(body).length === 0) return { before, after: before }
        const change = { ...body, ...(body.name !== undefined && { name: body.name.trim() }), version: before.version + 1 }
        await on.updateTable('reportFilter').set(toCells(change)).where('id', '=', id).execute()
        return { before, after: (await filtersIn(on, viewer).where('f.id', '=', id).executeTakeFirstOrThrow()) as FilterRow }
      })
      return shownTo(viewer, changed)
    },
    async remove({ viewer, params: { id }, command }) {
      await audited(db, list, { viewer, command }, async (on) => {
        const before = await filterToChange(on, viewer, id)
        await on.deleteFrom('reportFilter').where('id', '=', id).execute()
        return { before, after: null }
      })
    },
  }
}
