import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { type Calls, pageSize } from '#domain/contract.ts'
import { type ErrorCode, refuse } from '#domain/errors.ts'
import { containing, stored } from '#projections/postgres.ts'
import { type Audited, audited } from '../audit/record.ts'
import type { Command, Handlers } from './serve.ts'

type Resource<K extends Calls> = Audited & { list: string; missing: ErrorCode; search: string[]; Row: { properties: object }; calls: K }
type Mine = { viewer: Viewer; command: Command }
type At = Mine & { params: { id: number } }
type Body = Mine & { body: { version?: number } }

/** The five handlers of a plain list, always inside one company. No options, no hooks: to differ, write that one handler by hand. */
export function crud<K extends Calls>(db: Kysely<any>, of: Resource<K>): Handlers<K> {
  const columns = Object.keys(of.Row.properties)
  const found = (row: object | undefined) => (row as { id: number; version: number } | undefined) ?? refuse(of.missing)
  const mine = (on: Kysely<any>, viewer: Viewer) => on.selectFrom(of.table).select(columns).where('companyId', '=', viewer.companyId)
  const held = async (on: Kysely<any>, { viewer, params }: At) =>
    found(await mine(on, viewer).where('id', '=', params.id).forUpdate().executeTakeFirst())

  const handlers = {
    list: async ({ viewer, query }: Mine & { query: { searchParam?: string; pageNumber?: number } }) => {
      const { searchParam = '', pageNumber = 1 } = query
      const search = searchParam.trim()
      const like = (column: string) => sql<boolean>`plain(${sql.ref(column)}) like plain(${containing(search)})`
      const rows = await mine(db, viewer)
        .$if(search !== '', (q) => q.where((eb) => eb.or(of.search.map(like))))
        .orderBy('id', 'desc')
        .limit(pageSize + 1)
        .offset((pageNumber - 1) * pageSize)
        .execute()
      return { [of.list]: rows.slice(0, pageSize), hasMore: rows.length > pageSize }
    },
    find: async ({ viewer, params }: At) => found(await mine(db, viewer).where('id', '=', params.id).executeTakeFirst()),
    create: ({ body, ...ask }: Body) =>
      audited(db, of, ask, async (on: Kysely<any>) => {
        const row = { ...stored(body), companyId: ask.viewer.companyId }
        return { before: null, after: found(await on.insertInto(of.table).values(row).returning(columns).executeTakeFirst()) }
      }),
    update: ({ body: { version, ...change }, ...ask }: At & Body) =>
      audited(db, of, ask, async (on: Kysely<any>) => {
        const before = await held(on, ask)
        if (version !== undefined && version !== before.version) refuse('ERR_ROW_CHANGED', { version: before.version })
        if (Object.keys(change).length === 0) return { before, after: before }
        const row = on.updateTable(of.table).set({ ...stored(change), version: before.version + 1 })
        return { before, after: found(await row.where('id', '=', before.id).returning(columns).executeTakeFirst()) }
      }),
    remove: (ask: At) =>
      audited(db, of, ask, async (on: Kysely<any>) => {
        const before = await held(on, ask)
        await on.deleteFrom(of.table).where('id', '=', before.id).execute()
        return { before, after: null }
      }),
  }
  return handlers as unknown as Handlers<K>
}
