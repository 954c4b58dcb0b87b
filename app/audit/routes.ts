import { type Kysely, sql } from 'kysely'
import { type AuditRow, auditedLists, type audits, hidden, isAudited } from '#domain/audit/contract.ts'
import { maskedName } from '#domain/contact/phone.ts'
import { endOfDay, startOfDay } from '#domain/zone/rules.ts'
import type { Database } from '#projections/database.ts'
import { doneBy, paged } from '../http/page.ts'
import type { Handlers } from '../http/serve.ts'

type Row = Omit<AuditRow, 'name' | 'stands'>
type CurrentName = { name: string; stands: boolean }
type Named = Map<string, CurrentName>
const place = (list: string, id: unknown) => `${list} ${id}`

export const auditRoutes = ({ db }: { db: Kysely<Database> }): Handlers<typeof audits> => ({
  async list({ viewer: { companyId, timeZone, masked }, query: { list, rowId, userId, from, to, pageNumber } }) {
    let filtered = db.selectFrom('audit as a').leftJoin('user as u', 'u.id', 'a.userId').where('a.companyId', '=', companyId)
    if (list !== undefined) filtered = filtered.where('a.list', '=', list)
    if (rowId !== undefined) filtered = filtered.where('a.rowId', '=', rowId)
    if (userId !== undefined) filtered = filtered.where('a.userId', '=', userId)
    if (from) filtered = filtered.where('a.at', '>=', startOfDay(timeZone, from).toISOString())
    if (to) filtered = filtered.where('a.at', '<', endOfDay(timeZone, to).toISOString())
    const found = filtered.select(['a.id', 'a.companyId', 'a.list', 'a.rowId', 'a.act', 'a.before', 'a.after', 'a.at']).select(doneBy)
    const { rows, hasMore } = await paged(found.orderBy('a.id', 'desc'), pageNumber)
    const changes = rows as Row[]
    const [standing, removedNames] = await Promise.all([namesOf(db, companyId, changes), namesOfRemoved(db, companyId, changes)])
    return {
      changes: changes.map((row) => {
        const at = place(row.list, row.rowId)
        const name = standing.get(at)?.name ?? removedNames.get(at) ?? null
        return {
          ...row,
          name: name !== null && masked && row.list === 'contact' ? maskedName(name) : name,
          stands: standing.get(at)?.stands ?? false,
          before: withNames(row.list, row.before, standing),
          after: withNames(row.list, row.after, standing),
        }
      }),
      hasMore,
    }
  },
})

const relatedOf = (list: string): [string, string][] => (isAudited(list) ? Object.entries(auditedLists[list].related) : [])

/** The current names of the changed rows and of the rows that their fields refer to. */
async function namesOf(db: Kysely<any>, companyId: number, changes: Row[]): Promise<Named> {
  const wanted = new Map<string, Set<number>>()
  const want = (list: string, id: unknown) => typeof id === 'number' && wanted.set(list, (wanted.get(list) ?? new Set()).add(id))
  for (const { list, rowId, before, after } of changes) {
    if (isAudited(list)) want(list, rowId)
    for (const [field, of] of relatedOf(list)) for (const side of [before, after]) want(of, side?.[field])
  }
  const read = [...wanted].map(async ([list, ids]) => {
    const rows = db.selectFrom(list).select(['id', isAudited(list) ? `${auditedLists[list].called} as name` : 'name'])
    const mine = rows.where('companyId', '=', companyId).where('id', 'in', [...ids])
    const keptWhenGone = list === 'queue' || list === 'user'
    const all = await mine.$if(keptWhenGone, (query) => query.select(sql<boolean>`retired_at is null`.as('stands'))).execute()
    return all.map(({ id, name, stands = true }): [string, CurrentName] => [place(list, id), { name, stands }])
  })
  return new Map((await Promise.all(read)).flat())
}

/** The names of deleted rows, from the time of their deletion. */
async function namesOfRemoved(db: Kysely<Database>, companyId: number, changes: Row[]): Promise<Map<string, string>> {
  const ids = [...new Set(changes.map(({ rowId }) => rowId))]
  if (ids.length === 0) return new Map()
  const removed = db.selectFrom('audit').select(['list', 'rowId', 'before']).where('act', '=', 'removed')
  const mine = removed.where('companyId', '=', companyId).where('list', 'in', [...new Set(changes.map(({ list }) => list))])
  const rows = await mine.where(sql<boolean>`row_id = any(${ids}::int[])`).execute()
  return new Map(
    rows.flatMap(({ list, rowId, before }): [string, string][] => {
      const name = isAudited(list) ? (before as Record<string, unknown> | null)?.[auditedLists[list].called] : null
      return typeof name === 'string' && name !== hidden ? [[place(list, rowId), name]] : []
    }),
  )
}

/** Replaces the ids of other rows by their current names. */
function withNames(list: string, row: AuditRow['before'], names: Named): AuditRow['before'] {
  if (!row) return row
  const named = relatedOf(list).flatMap(([field, of]) => {
    const id = row[field]
    return typeof id === 'number' ? [[field, { id, name: names.get(place(of, id))?.name ?? `#${id}` }]] : []
  })
  return { ...row, ...Object.fromEntries(named) }
}
