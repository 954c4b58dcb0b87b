import { type Kysely, type Selectable, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import { importChanges } from '#domain/contact-import/changes.ts'
import type { ImportTable, RowState, TableRow } from '#domain/contact-import/contract.ts'
import type { ContactImportTable } from '#projections/contact-import/tables.ts'
import type { Database } from '#projections/database.ts'
import { settingsOf } from '../setting/read.ts'
import { type Fields, knownContacts, readRow, typedRow } from './check.ts'

type Table = Selectable<ContactImportTable>
const shownErrors = 50
const shownAccented = 3

const rowsOf = (db: Kysely<Database>, importId: number) => db.selectFrom('contactImportRow').where('importId', '=', importId)
/** What the import of a row will do, as one word. Null: the row is not checked yet. */
const state = sql<RowState | null>`case when left_out then 'leftOut' when error is not null then 'ignored' else effect end`

/** An uploaded table with its first rows and what its import will do. */
export async function tableAnswer(db: Kysely<Database>, viewer: Viewer, table: Table): Promise<ImportTable> {
  const { id, name, total, hasHeader, encoding, separator, columns, fields, checked } = table
  const wrong = rowsOf(db, id).select(['row', 'error as code']).where('error', 'is not', null).where('leftOut', '=', false)
  const errors = checked && (await wrong.orderBy('row').limit(shownErrors).execute())
  return {
    ...{ id, name, total, hasHeader, encoding, separator },
    accented: encoding === null ? [] : await accentedTexts(db, id, fields),
    columns: columns.map((title, at) => ({ title, field: fields[at] ?? '' })),
    rows: await shown(
      db,
      viewer,
      table,
      rowsOf(db, id)
        .select(['row', 'cells', 'error', state.as('state')])
        .orderBy('row')
        .limit(pageSize),
    ),
    counts: checked ? await counted(db, id) : null,
    errors: errors ? errors.map(({ row, code }) => ({ row, code: code! })) : null,
  }
}

async function counted(db: Kysely<Database>, id: number): Promise<NonNullable<ImportTable['counts']>> {
  const found = await rowsOf(db, id)
    .select([state.as('state'), sql<number>`count(*)::int`.as('n')])
    .groupBy(state)
    .execute()
  const of = (asked: RowState) => found.find((one) => one.state === asked)?.n ?? 0
  return { created: of('created'), updated: of('updated'), unchanged: of('unchanged'), ignored: of('ignored'), leftOut: of('leftOut') }
}

type Page = { pageNumber?: number; state?: RowState }
/** A page of the rows, or of those in one state. */
export async function rowsPage(db: Kysely<Database>, viewer: Viewer, table: Table, { pageNumber = 1, state: asked }: Page) {
  const found = rowsOf(db, table.id).$if(asked !== undefined, (rows) => rows.where(state, '=', asked!))
  const page = found
    .select(['row', 'cells', 'error', state.as('state')])
    .orderBy('row')
    .limit(pageSize)
  const { n } = await found.select(sql<number>`count(*)::int`.as('n')).executeTakeFirstOrThrow()
  const rows = await shown(db, viewer, table, page.offset((pageNumber - 1) * pageSize))
  return { rows, hasMore: pageNumber * pageSize < n, count: n }
}

type Query = { execute: () => Promise<{ row: number; cells: string[]; error: string | null; state: RowState | null }[]> }
/** The rows with what their import changes in the contacts as they are now. */
async function shown(db: Kysely<Database>, { companyId }: Viewer, { fields, columns, checked }: Table, query: Query): Promise<TableRow[]> {
  const rows = await query.execute()
  const reading = await settingsOf(db, companyId)
  const updating = rows.filter((row) => checked && row.state === 'updated')
  const read = new Map(updating.map(({ row, cells }) => [row, readRow(typedRow({ fields, columns }, cells), reading).contact]))
  const keys = [...read.values()].flatMap((contact) => contact?.numberKey ?? [])
  const known = await knownContacts(db, companyId, keys)
  return rows.map(({ row, cells, error, state: now }) => {
    const contact = read.get(row)
    const found = contact && known.get(contact.numberKey)
    const changes = found ? importChanges(found, contact) : []
    return { row, cells, changes, state: checked ? now : null, code: checked ? error : null }
  })
}

/** The first three texts with letters beyond ASCII; names if they have some. */
async function accentedTexts(db: Kysely<Database>, id: number, fields: Fields): Promise<string[]> {
  const rows = rowsOf(db, id).select('cells').where(sql<boolean>`cells::text ~ '[^\\x01-\\x7f]'`)
  const name = fields.indexOf('name')
  const isAccented = (text: string) => /[^\0-\x7f]/.test(text)
  const texts = (cells: string[]) => [cells[name] ?? '', ...cells].filter(isAccented)
  const some = await rows.orderBy('row').limit(shownErrors).execute()
  return [...new Set(some.flatMap(({ cells }) => texts(cells)[0] ?? []))].slice(0, shownAccented)
}
