import { type Kysely, sql } from 'kysely'
import { type ErasedPerson, isDistinctName, numberNeedles } from '#domain/data-request/rules.ts'
import type { Database } from '#projections/database.ts'
import { erased } from '../crypto/seal.ts'
import type { Json } from '../event-store/event-store.ts'

/** Texts that users saved, which may name the person. Every other part of them stays. */
const places = [
  { table: 'quick_message', columns: ['message', 'shortcode'], json: false },
  { table: 'file_list', columns: ['name', 'message'], json: false },
  { table: 'report_filter', columns: ['name'], json: false },
  { table: 'report_filter', columns: ['filter'], json: true },
  { table: 'audit', columns: ['before', 'after'], json: true },
] as const

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Matches the person's number in any notation, the e-mail address, and the full name. */
function patternOf(person: Pick<ErasedPerson, 'names' | 'number' | 'emails' | 'ids'>): string | null {
  const numbers = numberNeedles(person).map((digits) => `(?:\\+?55[\\s().-]{0,3})?\\(?${[...digits].join('[\\s().-]{0,3}')}`)
  const emails = person.emails.map((email) => email.trim()).filter((email) => email !== '')
  const names = person.names.map((name) => name.trim()).filter(isDistinctName)
  const all = [...numbers, ...[...emails, ...names].map(escaped)]
  return all.length > 0 ? all.join('|') : null
}

const replacedIn = (value: Json, pattern: RegExp): Json => {
  if (typeof value === 'string') return value.replace(pattern, erased)
  if (Array.isArray(value)) return value.map((one) => replacedIn(one, pattern))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replacedIn(one, pattern)]))
}

type Row = { id: number; value: Json }
async function rowsWith(on: Kysely<Database>, companyId: number, table: string, column: string, pattern: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select id, ${sql.ref(column)} as value from ${sql.table(table)}
    where company_id = ${companyId} and ${sql.ref(column)}::text ~* ${pattern} order by id`.execute(on)
  return rows
}

export async function countSavedTexts(
  on: Kysely<Database>,
  companyId: number,
  person: Omit<ErasedPerson, 'files' | 'streams'>,
): Promise<number> {
  const pattern = patternOf(person)
  const found = new Set<string>()
  if (pattern === null) return 0
  for (const { table, columns } of places)
    for (const column of table === 'audit' ? [] : columns)
      for (const { id } of await rowsWith(on, companyId, table, column, pattern)) found.add(`${table} ${id}`)
  return found.size
}

/** Replaces the person in saved texts and in the audit log by a mark, and returns the number of changed texts. */
export async function clearSavedTexts(on: Kysely<Database>, companyId: number, person: ErasedPerson): Promise<number> {
  const count = await countSavedTexts(on, companyId, person)
  const pattern = patternOf(person)
  if (pattern === null) return 0
  const global = new RegExp(pattern, 'gi')
  for (const { table, columns, json } of places)
    for (const column of columns)
      for (const { id, value } of await rowsWith(on, companyId, table, column, pattern)) {
        const next = replacedIn(value, global)
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${json ? sql`${JSON.stringify(next)}::jsonb` : next} where id = ${id}`.execute(
          on,
        )
      }
  return count
}
