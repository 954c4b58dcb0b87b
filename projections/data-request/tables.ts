import type { Generated, JSONColumnType } from 'kysely'
import type { ErasureCounts } from '#domain/data-request/contract.ts'
import type { ErasedPerson } from '#domain/data-request/rules.ts'

type Json<T> = JSONColumnType<T & object, string, string>

/** A person's request for erasure, or for a copy of their data. */
export interface DataRequestTable {
  id: Generated<number>
  companyId: number
  contactId: number
  userId: number
  kind: 'erasure' | 'export'
  state: Generated<'running' | 'done' | 'failed' | 'expired'>
  done: Generated<number>
  total: Generated<number>
  /** How the person is found while the erasure runs; null afterwards. */
  person: Json<ErasedPerson> | null
  counts: Json<Partial<ErasureCounts>> | null
  receipt: string | null
  fileKey: string | null
  fileSize: number | null
  requestedAt: Generated<string>
  finishedAt: string | null
  expiresAt: string | null
  /** When the read tables were last cleared. */
  rowsAt: string | null
}
/** Sealed fields in other people's tickets that held an erased person. They are no longer opened. */
export interface RedactionTable {
  eventId: string
  n: Generated<number>
  companyId: number
  requestId: number
  stream: string
  fields: string[]
}
/** A keyed digest of an id of an erased person. */
export interface ErasedIdentityTable {
  companyId: number
  digest: string
  erasedAt: string
}
