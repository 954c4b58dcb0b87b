import type { Kysely } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { type ErrorCode, refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { type Audited, recordChange } from '../audit/record.ts'

type Row = Record<string, unknown> & { id: number; companyId: number; version: number }
type Ordered = {
  list: Audited
  /** The column that holds the place of a row. */
  column: string
  missing: ErrorCode
  /** The rows in their present order, locked. */
  rows: (on: Kysely<Database>) => Promise<unknown[]>
}

/** Numbers the rows of a list in this order. Rows that it does not name follow in their present order. */
export const arrange = (db: Kysely<Database>, viewer: Viewer, { list, column, missing, rows }: Ordered, ids: number[]): Promise<void> =>
  db.transaction().execute(async (on) => {
    const present = (await rows(on)) as Row[]
    const known = new Set(present.map(({ id }) => id))
    if (ids.some((id) => !known.has(id))) refuse(missing)
    const order = [...ids, ...present.map(({ id }) => id).filter((id) => !ids.includes(id))]
    for (const { id, companyId, version, [column]: before } of present) {
      const place = order.indexOf(id) + 1
      if (before === place) continue
      const change = { [column]: place, version: version + 1 }
      await (on as Kysely<any>).updateTable(list.table).set(change).where('id', '=', id).execute()
      await recordChange(on, list, viewer, { before: { id, companyId, [column]: before }, after: { id, companyId, [column]: place } })
    }
  })
