import type { Generated, JSONColumnType } from 'kysely'
import type { WorkKind } from '#domain/bulk-operation/contract.ts'

type Json<T> = JSONColumnType<T & object, string, string>

/** A bulk operation: `done` of its items are processed, in order. */
export interface LongWorkTable {
  id: Generated<number>
  companyId: number
  userId: number
  kind: WorkKind
  commandId: string
  args: Json<{ batch?: string; importId?: number }>
  items: Json<number[]>
  state: Generated<'running' | 'done' | 'cancelled'>
  total: number
  done: Generated<number>
  changed: Generated<number>
  failed: Generated<number>
  holder: Generated<string | null>
  beatAt: Generated<string | null>
  startedAt: Generated<string>
  endedAt: Generated<string | null>
  dismissed: Generated<boolean>
  /** The final step has run. */
  settled: Generated<boolean>
}
export type LongWorkErrorTable = { workId: number; companyId: number; item: number; code: string }
