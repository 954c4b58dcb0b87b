import { type Kysely, sql } from 'kysely'
import { phoneNetwork } from '#domain/contact/rules.ts'
import { contactFieldsIn, extraName } from '#domain/contact-field/rules.ts'
import { importChanges, type KnownContact } from '#domain/contact-import/changes.ts'
import type { ImportField, RowEffect } from '#domain/contact-import/contract.ts'
import { channelColumn } from '#domain/contact-import/own-export.ts'
import { type ImportedContact, importedContact, type TypedRow } from '#domain/contact-import/rules.ts'
import { isNamePart } from '#domain/contact-import/titles.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import type { Settings } from '#domain/setting/contract.ts'
import type { Database } from '#projections/database.ts'

const batchSize = 1000
export type Fields = (ImportField | '')[]

export function refuseFields(fields: Fields): void {
  const chosen = fields.filter((field) => field !== '' && field !== 'extra' && field !== 'name')
  const twice = chosen.find((field, at) => chosen.indexOf(field) !== at)
  if (twice) refuse('ERR_IMPORT_FIELD_TWICE', { field: twice })
  if (!fields.includes('number')) refuse('ERR_IMPORT_NUMBER_FIELD')
  if (!fields.includes('name')) refuse('ERR_IMPORT_NAME_FIELD')
}

export type Columns = { fields: Fields; columns: string[] }
/** The cells of a row by their fields. Several columns of the name are joined in their order. */
export function typedRow({ fields, columns }: Columns, cells: string[]): TypedRow {
  const cell = (field: ImportField) => cells[fields.indexOf(field)] ?? ''
  const named = fields.flatMap((field, at) => (field === 'name' ? [{ title: columns[at] ?? '', text: (cells[at] ?? '').trim() }] : []))
  const texts = named.map(({ text }) => text).filter((text) => text !== '')
  const channel = cells[channelColumn(columns)]
  return {
    name: texts.join(' '),
    hasNameParts: named.length > 1 || named.some(({ title }) => isNamePart(title)),
    number: cell('number'),
    email: cell('email'),
    tags: cell('tags'),
    extra: extraColumns({ fields, columns }).map(({ at, name }) => ({ name, value: cells[at] ?? '' })),
    ...(channel !== undefined && { channel }),
  }
}

/** The columns with extra fields. A column without a title has no name for one. */
export const extraColumns = ({ fields, columns }: Columns): { at: number; name: string }[] =>
  columns.flatMap((title, at) => (fields[at] === 'extra' && extraName(title) !== '' ? [{ at, name: extraName(title) }] : []))

/** The settings by which rows are read. */
export type Reading = Pick<Settings, 'phoneCountry' | 'contactFields'>
type Table = Columns & { id: number; companyId: number; reading: Reading }
type Found = { row: number; error: string | null; numberKey: string | null; effect: RowEffect | null }

/** Checks every row, and stores what its import will do or why it will be ignored. */
export async function checkRows(db: Kysely<Database>, { id, companyId, reading, ...columns }: Table): Promise<void> {
  const rowsAfter = (last: number) =>
    db.selectFrom('contactImportRow').select(['row', 'cells']).where('importId', '=', id).where('row', '>', last)
  const next = (last: number) => rowsAfter(last).orderBy('row').limit(batchSize).execute()
  for (let batch = await next(-1); batch.length > 0; batch = await next(batch.at(-1)!.row)) {
    const read = batch.map(({ row, cells }) => ({ row, ...readRow(typedRow(columns, cells), reading) }))
    const keys = read.flatMap(({ contact }) => contact?.numberKey ?? [])
    const known = await knownContacts(db, companyId, keys)
    const effectOf = (contact: ImportedContact): RowEffect => {
      const found = known.get(contact.numberKey)
      return !found ? 'created' : importChanges(found, contact).length > 0 ? 'updated' : 'unchanged'
    }
    const found = read.map(({ row, contact, error }): Found => {
      return { row, error, numberKey: contact?.numberKey ?? null, effect: contact && effectOf(contact) }
    })
    await store(db, id, found)
  }
  await refuseRepeated(db, id)
}

type ReadRow = { contact: ImportedContact; error: null } | { contact: null; error: string }
/** The contact that a row means, or why it means none. */
export function readRow(row: TypedRow, { phoneCountry, contactFields }: Reading): ReadRow {
  try {
    return { contact: importedContact(row, phoneCountry, contactFieldsIn(contactFields)), error: null }
  } catch (error) {
    if (error instanceof Refusal) return { contact: null, error: error.code }
    throw error
  }
}

async function store(db: Kysely<Database>, importId: number, rows: Found[]): Promise<void> {
  const column = <K extends keyof Found>(name: K) => rows.map((row) => row[name])
  await sql`
    update contact_import_row set error = given.error, number_key = given.key, effect = given.effect
    from unnest(${column('row')}::int[], ${column('error')}::text[], ${column('numberKey')}::text[], ${column('effect')}::text[])
      as given (row, error, key, effect)
    where contact_import_row.import_id = ${importId} and contact_import_row.row = given.row
      and (contact_import_row.error, contact_import_row.number_key, contact_import_row.effect)
        is distinct from (given.error, given.key, given.effect)`.execute(db)
}

/** Of the chosen rows with one number, the first is imported. */
export async function refuseRepeated(db: Kysely<Database>, importId: number): Promise<void> {
  await db.transaction().execute(async (on) => {
    await sql`set local enable_nestloop = off`.execute(on) // a nested loop compares each row with each other one
    await markRepeated(on, importId)
  })
}
async function markRepeated(on: Kysely<Database>, importId: number): Promise<void> {
  await sql`
    update contact_import_row as r set error = f.error
    from (
      select row, case when row_number() over (partition by number_key, left_out order by row) > 1 and not left_out
        then 'ERR_IMPORT_REPEATED' end as error
      from contact_import_row where import_id = ${importId} and number_key is not null
    ) f
    where r.import_id = ${importId} and r.row = f.row and r.error is distinct from f.error`.execute(on)
}

/** The contacts that have these numbers, as an import finds them. A merged contact is its target (A-MERGE-01). */
export async function knownContacts(db: Kysely<Database>, companyId: number, keys: string[]): Promise<Map<string, KnownContact>> {
  const found = await db
    .selectFrom('contact as c')
    .innerJoin('contact as p', 'p.id', 'c.personId')
    .select(['c.numberKey', 'p.name', 'p.email', 'p.extraInfo'])
    .select(
      sql<string[]>`array(select t.name from contact_tag ct join tag t on t.id = ct.tag_id
        where ct.contact_id = p.id and t.kanban = 0 order by t.name)`.as('tags'),
    )
    .where('c.companyId', '=', companyId)
    .where('c.channel', '=', phoneNetwork)
    .where('c.deletedAt', 'is', null)
    .where(sql<boolean>`c.number_key = any(${keys})`)
    .execute()
  return new Map(found.map(({ numberKey, ...contact }) => [numberKey, contact]))
}
