import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ErasureCounts } from '#domain/data-request/contract.ts'
import { createPersonEraser, type ErasedPerson } from '#domain/data-request/rules.ts'
import { erasedText } from '#domain/text/rules.ts'
import type { Database } from '#projections/database.ts'
import type { Json } from '../event-store/event-store.ts'
import { type Sought, soughtBy } from './places.ts'

type Counts = Pick<ErasureCounts, 'savedTexts' | 'extraFields'>
type SavedText = {
  table: keyof Database
  column: string
  /** The count in which a changed row appears; null: none. */
  count: keyof Counts | null
  /** No two rows may have the same text, so it gets the id of its row. */
  isUnique?: true
  /** A change is refused if it is based on an older version, so that no open form writes the person back. */
  isVersioned?: true
  /** Only these rows. */
  rows?: (of: Sought) => RawBuilder<boolean>
}
const [count, isUnique] = ['savedTexts', true] as const
const ofOthers = ({ contactIds }: Sought) => sql<boolean>`id <> all(${contactIds}::int[])`

/** Texts that users saved, which may name the person. Every other part of them stays. */
export const savedTexts: SavedText[] = [
  { table: 'quickMessage', column: 'message', count },
  { table: 'quickMessage', column: 'shortcode', count, isUnique },
  { table: 'fileList', column: 'name', count, isUnique },
  { table: 'fileList', column: 'message', count },
  { table: 'fileListOption', column: 'name', count },
  {
    table: 'rowFile',
    column: 'media',
    count,
    rows: ({ contactIds }) => sql`not (list = 'contact' and row_id = any(${contactIds}::int[]))`,
  },
  { table: 'reportFilter', column: 'name', count, isUnique },
  { table: 'reportFilter', column: 'filter', count },
  { table: 'tag', column: 'name', count, isUnique },
  { table: 'contact', column: 'extraInfo', count: 'extraFields', isVersioned: true, rows: ofOthers },
  { table: 'contactMerge', column: 'changes', count: null }, // an undo writes them back
  { table: 'audit', column: 'before', count: null },
  { table: 'audit', column: 'after', count: null },
]

type Person = Omit<ErasedPerson, 'files' | 'streams'>
type Change = { key: string; next: Json }
/** The texts of a place that name the person, as they are without the person. */
async function changesIn(
  place: SavedText,
  on: Kysely<Database>,
  of: Sought,
  erase: ReturnType<typeof createPersonEraser>,
  lock: RawBuilder<unknown>,
): Promise<Change[]> {
  const column = sql.ref(place.column)
  const text = sql`${column}::text`
  const { rows } = await sql<{ key: string; value: Json }>`select ${keyOf(place)} as key, ${column} as value from ${sql.table(place.table)}
    where company_id = ${of.companyId} and (${of.names(text)} or ${of.containsName(text)}) and ${place.rows?.(of) ?? sql`true`} ${lock}`.execute(
    on,
  )
  const found = rows.map(({ key, value }) => ({
    ...{ key, value },
    next: replacedIn(value, (one) => erase(one, place.isUnique ? erasedText + key : erasedText)),
  }))
  return found.filter(({ value, next }) => JSON.stringify(next) !== JSON.stringify(value))
}
const keyOf = ({ table }: SavedText) => (table === 'rowFile' ? sql`concat_ws(' ', list, row_id)` : sql`id::text`)

const replacedIn = (value: Json, replaced: (text: string) => string): Json => {
  if (typeof value === 'string') return replaced(value)
  if (Array.isArray(value)) return value.map((one) => replacedIn(one, replaced))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replacedIn(one, replaced)]))
}

async function eachChange(
  on: Kysely<Database>,
  companyId: number,
  person: Person,
  act: ((place: SavedText, change: Change) => Promise<unknown>) | null,
) {
  const of = soughtBy(companyId, person.contacts, person)
  const erase = createPersonEraser(person)
  const rows = { savedTexts: new Set<string>(), extraFields: new Set<string>() }
  for (const place of savedTexts)
    for (const change of await changesIn(place, on, of, erase, act ? sql`for update` : sql``)) {
      if (place.count) rows[place.count].add(`${place.table} ${change.key}`)
      await act?.(place, change)
    }
  return { savedTexts: rows.savedTexts.size, extraFields: rows.extraFields.size }
}

export const countSavedTexts = (on: Kysely<Database>, companyId: number, person: Person): Promise<Counts> =>
  eachChange(on, companyId, person, null)

/** Replaces the person in saved texts, in extra fields of other contacts and in the audit log, and returns the counts. */
export const clearSavedTexts = (on: Kysely<Database>, companyId: number, person: Person): Promise<Counts> =>
  eachChange(on, companyId, person, async (place, { key, next }) => {
    const value = typeof next === 'string' ? next : sql`${JSON.stringify(next)}::jsonb`
    const version = place.isVersioned ? sql`, version = version + 1` : sql``
    await sql`update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${value} ${version} where ${keyOf(place)} = ${key}`.execute(
      on,
    )
  })
