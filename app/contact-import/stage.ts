import { open } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import PQueue from 'p-queue'
import type { Viewer } from '#domain/access.ts'
import type { ContactField } from '#domain/contact-field/rules.ts'
import type { Encoding, ImportField, Separator } from '#domain/contact-import/contract.ts'
import { guessFields, hasTitles } from '#domain/contact-import/table.ts'
import type { Upload } from '#domain/contract.ts'
import { refuse } from '#domain/errors.ts'
import { originalCell } from '#domain/report/cells.ts'
import type { Database } from '#projections/database.ts'
import { megabyte } from '../http/upload-limits.ts'
import { csvRows, guessEncoding, separatorOf } from './csv-rows.ts'
import { xlsRows } from './xls-rows.ts'
import { type FileRow, xlsxRows } from './xlsx-rows.ts'

export const mostRows = 100_000
const mostMegabytes = 32
/** More than any field may have, so that a text that is cut is refused. */
const longestCell = 2500
const longestTitle = 120
const batchSize = 1000
const sampleRows = 20

/** Files that this process reads at the same time. */
const slots = new PQueue({ concurrency: 1 })

/** How a workbook is read, by its first bytes: those of a compound file (.xls) or of a zip file (.xlsx). */
const workbooks = new Map([
  [0xd0cf11e0, xlsRows],
  [0x504b0304, xlsxRows],
])

export type Options = { header?: 'true' | 'false'; encoding?: Encoding; separator?: Separator }
/** The typed extra fields of the company, and the language of the person. */
type Reading = { fields: ContactField[]; language: string }
type Source = { encoding: Encoding | null; separator: Separator | null; rows: AsyncGenerator<FileRow> }

/** `openQuotes`: the first rows with a quotation mark that is not closed. */
type Staged = { id: number; openQuotes: number[] }
const shownQuotes = 50

/** Stores the rows of an uploaded file. */
export const stageFile = (db: Kysely<Database>, viewer: Viewer, file: Upload, options: Options, reading: Reading): Promise<Staged> =>
  slots.add(async () => {
    if (file.size > mostMegabytes * megabyte) refuse('ERR_TOO_LARGE', { limit: mostMegabytes })
    await using handle = await open(file.path)
    const { buffer: first } = await handle.read(Buffer.alloc(8), 0, 8, 0)
    const workbook = workbooks.get(first.readUInt32BE(0))
    if (workbook)
      return await stage(
        db,
        viewer,
        file.name,
        { encoding: null, separator: null, rows: workbook(file.path, reading.language) },
        options,
        reading,
      )
    const encoding = options.encoding ?? (await guessEncoding(file.path))
    const separator = options.separator ?? (await separatorOf(file.path, encoding))
    return await stage(db, viewer, file.name, { encoding, separator, rows: csvRows(file.path, encoding, separator) }, options, reading)
  })

async function stage(
  db: Kysely<Database>,
  { companyId, id: userId }: Viewer,
  name: string,
  { rows, ...source }: Source,
  { header: chosen }: Options,
  { fields: known }: Reading,
): Promise<Staged> {
  const samples: FileRow[] = []
  for (let next = await rows.next(); !next.done; next = await rows.next()) {
    samples.push(next.value)
    if (samples.length > sampleRows) break
  }
  const hasHeader = chosen === undefined ? hasTitles(samples.map(({ cells }) => cells)) : chosen === 'true'
  const contents = hasHeader ? samples.slice(1) : samples
  if (contents.length === 0) refuse('ERR_IMPORT_EMPTY')
  const width = Math.max(...samples.map(({ cells }) => cells.length))
  const columns = Array.from({ length: width }, (_, at) =>
    hasHeader
      ? originalCell(samples[0]!.cells[at] ?? '')
          .trim()
          .slice(0, longestTitle)
          .toWellFormed()
      : '',
  )
  const fields: (ImportField | '')[] = guessFields(
    columns,
    contents.map(({ cells }) => cells),
    known.map((field) => field.name),
  )
  const staged = await db.transaction().execute(async (on) => {
    /* A user has one table that waits; otherwise repeated uploads would fill the database. */
    const mine = on.deleteFrom('contactImport').where('companyId', '=', companyId).where('userId', '=', userId)
    await mine.where('workId', 'is', null).execute()
    const table = { companyId, userId, name: name.slice(0, 250), hasHeader, ...source, existing: null, workId: null }
    const { id: importId } = await on
      .insertInto('contactImport')
      .values({ ...table, columns: JSON.stringify(columns), fields: JSON.stringify(fields) })
      .returning('id')
      .executeTakeFirstOrThrow()
    let total = 0
    const openQuotes = samples
      .slice(0, 1)
      .filter(({ hasOpenQuote }) => hasHeader && hasOpenQuote)
      .map(({ row }) => row)
    const store = async (batch: FileRow[]) => {
      total += batch.length
      for (const { row, hasOpenQuote } of batch) if (hasOpenQuote && openQuotes.length < shownQuotes) openQuotes.push(row)
      if (total > mostRows) refuse('ERR_IMPORT_ROWS', { limit: mostRows })
      const values = batch.map(({ row, cells }) => ({ importId, companyId, row, cells: JSON.stringify(cells.slice(0, width).map(short)) }))
      if (values.length > 0)
        await on
          .insertInto('contactImportRow')
          .values(values.map((one) => ({ ...one, error: null, outcome: null })))
          .execute()
    }
    let batch = contents
    for await (const row of rows) {
      batch.push(row)
      if (batch.length < batchSize) continue
      await store(batch)
      batch = []
    }
    await store(batch)
    await on.updateTable('contactImport').set({ total }).where('id', '=', importId).execute()
    return { id: importId, openQuotes }
  })
  await sql`analyze contact_import_row`.execute(db) // with the statistics of the table before, Postgres would compare each row with each other one
  return staged
}
const short = (cell: string) => originalCell(cell).slice(0, longestCell).replaceAll('\0', '').toWellFormed()

const chosenRows = (db: Kysely<Database>, importId: number) =>
  db.selectFrom('contactImportRow').where('importId', '=', importId).where('leftOut', '=', false)
/** The numbers of the rows that are not left out, in order. */
export const stagedRows = async (db: Kysely<Database>, importId: number): Promise<number[]> =>
  (await chosenRows(db, importId).select('row').orderBy('row').execute()).map(({ row }) => row)
export const countStaged = async (db: Kysely<Database>, importId: number): Promise<number> =>
  (await chosenRows(db, importId).select(sql<number>`count(*)::int`.as('n')).executeTakeFirstOrThrow()).n
