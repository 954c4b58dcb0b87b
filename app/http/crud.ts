import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { type Calls, pageSize } from '#domain/contract.ts'
import { type ErrorCode, refuse } from '#domain/errors.ts'
import { containing } from '#projections/postgres.ts'
import type { Handlers } from './serve.ts'

type Resource<K extends Calls> = {
  table: string
  list: string
  missing: ErrorCode
  search: string[]
  Row: { properties: object }
  calls: K
}
type Mine = { viewer: Viewer }
type At = Mine & { params: { id: number } }
type Body = Mine & { body: object }

/** The five handlers of a plain list, always inside one company. No options, no hooks: to differ, write that one handler by hand. */
export function crud<K extends Calls>(db: Kysely<any>, of: Resource<K>): Handlers<K> {
  const columns = Object.keys(of.Row.properties)
  const found = <Row>(row: Row | undefined): Row => row ?? refuse(of.missing)
  const mine = (viewer: Viewer) => db.selectFrom(of.table).select(columns).where('companyId', '=', viewer.companyId)
  const one =
    ({ viewer, params }: At) =>
    (eb: any) =>
      eb.and([eb('companyId', '=', viewer.companyId), eb('id', '=', params.id)])

  const handlers = {
    list: async ({ viewer, query }: Mine & { query: { searchParam?: string; pageNumber?: number } }) => {
      const { searchParam = '', pageNumber = 1 } = query
      const search = searchParam.trim()
      const rows = await mine(viewer)
        .$if(search !== '', (q) =>
          q.where((eb) => eb.or(of.search.map((column) => sql<boolean>`plain(${sql.ref(column)}) like plain(${containing(search)})`))),
        )
        .orderBy('id', 'desc')
        .limit(pageSize + 1)
        .offset((pageNumber - 1) * pageSize)
        .execute()
      return { [of.list]: rows.slice(0, pageSize), hasMore: rows.length > pageSize }
    },
    find: async ({ viewer, params }: At) => found(await mine(viewer).where('id', '=', params.id).executeTakeFirst()),
    create: async ({ viewer, body }: Body) => {
      const row = { ...body, companyId: viewer.companyId }
      return found(await db.insertInto(of.table).values(row).returning(columns).executeTakeFirst())
    },
    update: async ({ body, ...ask }: At & Body) =>
      Object.keys(body).length === 0
        ? handlers.find(ask)
        : found(await db.updateTable(of.table).set(body).where(one(ask)).returning(columns).executeTakeFirst()),
    remove: async (ask: At) => {
      found(await db.deleteFrom(of.table).where(one(ask)).returning('id').executeTakeFirst())
    },
  }
  return handlers as unknown as Handlers<K>
}
