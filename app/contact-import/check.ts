import { type Kysely, sql } from 'kysely'
import { phoneNetwork } from '#domain/contact/rules.ts'
import type { ImportField, ImportTable } from '#domain/contact-import/contract.ts'
import { importedContact, type TypedRow } from '#domain/contact-import/rules.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'

const batchSize = 1000
export type Fields = (ImportField | '')[]

export function refuseFields(fields: Fields): void {
  const chosen = fields.filter((field) => field !== '')
  const twice = chosen.find((field, at) => chosen.indexOf(field) !== at)
  if (twice) refuse('ERR_IMPORT_FIELD_TWICE', { field: twice })
  if (!chosen.includes('number')) refuse('ERR_IMPORT_NUMBER_FIELD')
  if (!chosen.includes('name')) refuse('ERR_IMPORT_NAME_FIELD')
}

/** The cells of a row by their fields. */
export function typedRow(fields: Fields, cells: string[]): TypedRow {
  const cell = (field: ImportField) => cells[fields.indexOf(field)] ?? ''
  return { name: cell('name'), number: cell('number'), email: cell('email'), tags: cell('tags') }
}

type Table = { id: number; companyId: number; fields: Fields; country: string }
/** Checks every row, stores why it will be ignored, and counts the rows whose number already has a contact. */
export async function checkRows(db: Kysely<Database>, { id, companyId, fields, country }: Table): Promise<ImportTable['counts']> {
  const counts = { created: 0, known: 0, ignored: 0 }
  const keys = new Set<string>()
  const rowsAfter = (last: number) =>
    db.selectFrom('contactImportRow').select(['row', 'cells', 'error']).where('importId', '=', id).where('row', '>', last)
  const next = (last: number) => rowsAfter(last).orderBy('row').limit(batchSize).execute()
  for (let batch = await next(-1); batch.length > 0; batch = await next(batch.at(-1)!.row)) {
    const fresh: string[] = []
    const checked = batch.map(({ row, cells, error: before }) => {
      const found = keyOf(typedRow(fields, cells), country)
      const error = 'key' in found ? (keys.has(found.key) ? 'ERR_IMPORT_REPEATED' : null) : found.error
      if (error) counts.ignored++
      else if ('key' in found) fresh.push(found.key)
      if ('key' in found) keys.add(found.key)
      return { row, error, isOther: error !== before }
    })
    await storeErrors(
      db,
      id,
      checked.filter(({ isOther }) => isOther),
    )
    const known = await knownKeys(db, companyId, fresh)
    counts.known += known
    counts.created += fresh.length - known
  }
  return counts
}
function keyOf(row: TypedRow, country: string): { key: string } | { error: string } {
  try {
    return { key: importedContact(row, country).numberKey }
  } catch (error) {
    if (error instanceof Refusal) return { error: error.code }
    throw error
  }
}
async function storeErrors(db: Kysely<Database>, importId: number, rows: { row: number; error: string | null }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update contact_import_row set error = given.error
    from unnest(${rows.map(({ row }) => row)}::int[], ${rows.map(({ error }) => error)}::text[]) as given (row, error)
    where contact_import_row.import_id = ${importId} and contact_import_row.row = given.row`.execute(db)
}
async function knownKeys(db: Kysely<Database>, companyId: number, keys: string[]): Promise<number> {
  const found = await db
    .selectFrom('contact')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('companyId', '=', companyId)
    .where('channel', '=', phoneNetwork)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`number_key = any(${keys})`)
    .executeTakeFirstOrThrow()
  return found.n
}
