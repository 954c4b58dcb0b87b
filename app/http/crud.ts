import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import type { Calls } from '#domain/contract.ts'
import { type ErrorCode, refuse } from '#domain/errors.ts'
import { likePattern, toCells } from '#projections/postgres.ts'
import { type Audited, audited } from '../audit/record.ts'
import { deleteRelations, type Listed, ownColumns, rowsIn, saveRelations } from './relations.ts'
import type { Command, Handlers } from './serve.ts'

type Resource<K extends Calls> = Audited & Listed & { list: string; missing: ErrorCode; search: string[]; calls: K }
type Row = Record<string, any> & { id: number; version: number }
type Mine = { viewer: Viewer; command: Command }
type Searching = Mine & { query: { searchParam?: string; pageNumber?: number } }
type At = Mine & { params: { id: number } }
type Body = Mine & { body: { version?: number } }

/** The five handlers of a plain list, always inside one company. There are no options: write a different handler by hand. */
export function crud<K extends Calls>(db: Kysely<any>, of: Resource<K>): Handlers<K> {
  const one = async (on: Kysely<any>, { companyId }: Viewer, id: number, lock = false) => {
    const row = rowsIn(on, of, companyId).where('id', '=', id)
    return ((await (lock ? row.forUpdate() : row).executeTakeFirst()) as Row | undefined) ?? refuse(of.missing)
  }
  const handlers = {
    list: async ({ viewer, query: { searchParam = '', pageNumber = 1 } }: Searching) => {
      const search = searchParam.trim()
      const like = (column: string) => sql<boolean>`plain(${sql.ref(column)}) like plain(${likePattern(search)})`
      const fitting = rowsIn(db, of, viewer.companyId).$if(search !== '', (q) => q.where((eb) => eb.or(of.search.map(like))))
      const page = fitting.orderBy('id', 'desc').offset((pageNumber - 1) * pageSize)
      const rows = await page.limit(pageSize + 1).execute()
      return { [of.list]: rows.slice(0, pageSize), hasMore: rows.length > pageSize }
    },
    find: ({ viewer, params }: At) => one(db, viewer, params.id),
    create: ({ body, ...ask }: Body) =>
      audited(db, of, ask, async (on: Kysely<any>) => {
        const row = on.insertInto(of.table).values({ ...toCells(ownColumns(of, body)), companyId: ask.viewer.companyId })
        const id = await saveRelations(on, of, ask.viewer, body, async () => (await row.returning('id').executeTakeFirstOrThrow()).id)
        return { before: null, after: await one(on, ask.viewer, id) }
      }),
    update: ({ body: { version, ...change }, viewer, params: { id }, ...ask }: At & Body) =>
      audited(db, of, { viewer, ...ask }, async (on: Kysely<any>) => {
        const before = await one(on, viewer, id, true)
        if (version !== undefined && version !== before.version) refuse('ERR_ROW_CHANGED', { version: before.version })
        if (Object.keys(change).length === 0) return { before, after: before }
        const table = on.updateTable(of.table).set({ ...toCells(ownColumns(of, change)), version: before.version + 1 })
        const row = table.where('id', '=', id).returning('id')
        await saveRelations(on, of, viewer, change, async () => (await row.executeTakeFirstOrThrow()).id)
        return { before, after: await one(on, viewer, id) }
      }),
    remove: ({ viewer, params: { id }, ...ask }: At) =>
      audited(db, of, { viewer, ...ask }, async (on: Kysely<any>) => {
        const before = await one(on, viewer, id, true)
        await deleteRelations(on, of, viewer, id)
        await on.deleteFrom(of.table).where('id', '=', id).execute()
        return { before, after: null }
      }),
  }
  return handlers as unknown as Handlers<K>
}
