import type { Generated, JSONColumnType } from 'kysely'

type Json<T> = JSONColumnType<T & object, string, string>

/** Who changed which row of a plain list. Values of masked fields are not recorded. */
export interface AuditTable {
  id: Generated<number>
  companyId: number
  userId: number
  list: string
  rowId: number
  act: 'created' | 'changed' | 'removed'
  before: Json<object> | null
  after: Json<object> | null
  at: Generated<string>
}
