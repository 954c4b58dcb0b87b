import type { Generated, JSONColumnType } from 'kysely'
import type { Encoding, Existing, ImportField, RowEffect, Separator } from '#domain/contact-import/contract.ts'

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
  /** The network is asked for each number before its contact is imported. */
  checksNetwork: Generated<boolean>
  workId: number | null
  createdAt: Generated<string>
}
export interface ContactImportRowTable {
  importId: number
  row: number
  companyId: number
  cells: Json<string[]>
  /** A person has left the row out of the import. */
  leftOut: Generated<boolean>
  /** `numberKey` of its number, until it is imported. */
  numberKey: Generated<string | null>
  /** What its import will do, unless it has an error. */
  effect: Generated<RowEffect | null>
  error: string | null
  outcome: RowEffect | null
}
