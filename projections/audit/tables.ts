import type { Generated, JSONColumnType } from 'kysely'

type Json<T> = JSONColumnType<T & object, string, string>

/** Who changed which row of a plain list; of masked fields only that they changed. */
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
