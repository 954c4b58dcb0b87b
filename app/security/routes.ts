import { type Kysely, sql } from 'kysely'
import type { SecurityRow, security } from '#domain/security/contract.ts'
import type { Database } from '#projections/database.ts'
import { likePattern } from '#projections/postgres.ts'
import { doneBy, paged } from '../http/page.ts'
import type { Handlers } from '../http/serve.ts'
import { checkSecurityLog, noCompany } from './log.ts'

export const securityRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof security> => ({
  async list({ viewer, query: { searchParam = '', kind, from, to, near, pageNumber } }) {
    const companies = viewer.super ? [viewer.companyId, noCompany] : [viewer.companyId]
    let filtered = db.selectFrom('securityEvent as e').leftJoin('user as u', 'u.id', 'e.userId').where('e.companyId', 'in', companies)
    if (kind) filtered = filtered.where('e.kind', '=', kind)
    if (from) filtered = filtered.where('e.at', '>=', from)
    if (to) filtered = filtered.where('e.at', '<', to)
    if (near !== undefined) filtered = filtered.where('e.n', '>=', near - 2).where('e.n', '<=', near + 2)
    const wanted = searchParam.trim()
    if (wanted !== '')
      filtered = filtered.where(sql<boolean>`(plain(u.name) like plain(${likePattern(wanted)}) or e.address like ${likePattern(wanted)}
        or lower(e.detail ->> 'ticket') = lower(${wanted}))`)
    const found = filtered.select(['e.id', 'e.companyId', 'e.n', 'e.at', 'e.kind', 'e.address', 'e.detail', 'e.hash']).select(doneBy)
    const { rows, hasMore } = await paged(found.orderBy('e.id', 'desc'), pageNumber)
    return { events: rows as SecurityRow[], hasMore }
  },
  check: async ({ viewer }) => ({
    ...(await checkSecurityLog(db, viewer.companyId)),
    platform: viewer.super ? await checkSecurityLog(db, noCompany) : null,
  }),
})
