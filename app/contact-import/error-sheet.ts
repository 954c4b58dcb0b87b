import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { contactText } from '#domain/contact/texts.ts'
import { extraTitle } from '#domain/contact-field/rules.ts'
import type { TypedRow } from '#domain/contact-import/rules.ts'
import { errorTexts } from '#domain/error-texts.ts'
import type { ErrorCode } from '#domain/errors.ts'
import { doubledApostrophe, textCell } from '#domain/report/cells.ts'
import { languages } from '#domain/user/rules.ts'
import type { Database } from '#projections/database.ts'
import { type Column, excelFile } from '../report/excel-file.ts'
import { type Columns, extraColumns, typedRow } from './check.ts'

type Ignored = TypedRow & { row: number; code: string }
type Work = { id: number; companyId: number; columns: Columns }
type Language = (typeof languages)[number]

/** The ignored rows of an import as an Excel file. Its cells are texts, so that none becomes a formula. */
export function errorSheet(db: Kysely<Database>, work: Work, language: string, zone: string): Readable {
  const at = Math.max(0, languages.indexOf(language as Language))
  const text = (title: string, width: number, of: (row: Ignored) => string): Column<Ignored> => ({
    ...{ title, width, format: 'text' },
    cell: (row) => textCell(doubledApostrophe(of(row))) || null,
  })
  const reason = (code: string) => (code in errorTexts ? errorTexts[code as ErrorCode][at]! : code)
  const columns: Column<Ignored>[] = [
    { title: contactText('row', language), width: 10, format: 'number', cell: ({ row }) => row },
    ...(['name', 'number', 'email', 'tags'] as const).map((field) => text(contactText(field, language), 26, (row) => row[field])),
    ...extraColumns(work.columns).map(({ name }, at) => text(extraTitle(name, language), 26, ({ extra }) => extra[at]?.value ?? '')),
    text(contactText('reason', language), 70, ({ code }) => reason(code)),
  ]
  return excelFile(columns, ignoredRows(db, work), { name: contactText('ignored', language), language, zone })
}

const batchSize = 1000
async function* ignoredRows(db: Kysely<Database>, { id, companyId, columns }: Work): AsyncGenerator<Ignored[]> {
  const after = (last: number) =>
    db
      .selectFrom('bulkOperationError as e')
      .innerJoin('contactImport as i', 'i.workId', 'e.workId')
      .innerJoin('contactImportRow as r', (join) => join.onRef('r.importId', '=', 'i.id').onRef('r.row', '=', 'e.item'))
      .select(['r.row', 'r.cells', 'e.code'])
      .where('e.workId', '=', id)
      .where('e.companyId', '=', companyId)
      .where('e.item', '>', last)
      .orderBy('e.item')
      .limit(batchSize)
      .execute()
  for (let rows = await after(-1); rows.length > 0; rows = await after(rows.at(-1)!.row))
    yield rows.map(({ row, cells, code }) => ({ row, code, ...typedRow(columns, cells) }))
}
