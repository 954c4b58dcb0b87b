import type { Generated, JSONColumnType } from 'kysely'
import type { Encoding, Existing, ImportField, Separator } from '#domain/contact-import/contract.ts'

type Json<T> = JSONColumnType<T & object, string, string>

/** The address book and the chats of a linked phone. `name` is empty if the phone knows none. */
export interface PhoneBookTable {
  connectionId: number
  companyId: number
  numberKey: string
  number: string
  name: string
  inBook: boolean
  inChats: boolean
}
export interface ContactImportTable {
  id: Generated<number>
  companyId: number
  userId: number
  name: string
  hasHeader: boolean
  encoding: Encoding | null
  separator: Separator | null
  columns: Json<string[]>
  fields: Json<(ImportField | '')[]>
  total: Generated<number>
  /** The rows have been checked with these fields. */
  checked: Generated<boolean>
  existing: Existing | null
  workId: number | null
  createdAt: Generated<string>
}
export interface ContactImportRowTable {
  importId: number
  row: number
  companyId: number
  cells: Json<string[]>
  error: string | null
  outcome: 'created' | 'updated' | 'unchanged' | null
}
