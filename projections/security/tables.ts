import type { Generated, JSONColumnType } from 'kysely'
import type { SecurityDetail, SecurityKind } from '#domain/security/contract.ts'

export interface SecurityEventTable {
  id: Generated<number>
  companyId: number
  n: number
  at: string
  kind: SecurityKind
  userId: number | null
  address: string | null
  detail: JSONColumnType<SecurityDetail & object, string, string>
  hash: string
}
