import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import { contactText } from '#domain/contact/texts.ts'
import { errorTexts } from '#domain/error-texts.ts'
import type { ErrorCode } from '#domain/errors.ts'
import { textCell } from '#domain/report/cells.ts'
import { languages } from '#domain/user/rules.ts'
import type { Database } from '#projections/database.ts'
import { type Column, excelFile } from '../report/excel-file.ts'
import { typedRow } from './check.ts'

type Ignored = { row: number; code: string; name: string; number: string; email: string; tags: string }
type Work = { id: number; companyId: number }
type Language = (typeof languages)[number]

/** The ignored rows of an import as an Excel file. Its cells are texts, so that none becomes a formula. */
export function errorSheet(db: Kysely<Database>, work: Work, language: string, zone: string): Readable {
  const at = Math.max(0, languages.indexOf(language as Language))
  const text = (title: string, width: number, of: (row: Ignored) => string): Column<Ignored> => ({
    ...{ title, width, format: 'text' },
    cell: (row) => textCell(of(row)) || null,
  })
  const reason = (code: string) => (code in errorTexts ? errorTexts[code as ErrorCode][at]! : code)
  const columns: Column<Ignored>[] = [
    { title: contactText('row', language), width: 10, format: 'number', cell: ({ row }) => row },
    ...(['name', 'number', 'email', 'tags'] as const).map((field) => text(contactText(field, language), 26, (row) => row[field])),
    text(contactText('reason', language), 70, ({ code }) => reason(code)),
  ]
  return excelFile(columns, ignoredRows(db, work), { name: contactText('ignored', language), language, zone })
}

const batchSize = 1000
async function* ignoredRows(db: Kysely<Database>, { id, companyId }: Work): AsyncGenerator<Ignored[]> {
  const after = (last: number) =>
    db
      .selectFrom('bulkOperationError as e')
      .innerJoin('contactImport as i', 'i.workId', 'e.workId')
      .innerJoin('contactImportRow as r', (join) => join.onRef('r.importId', '=', 'i.id').onRef('r.row', '=', 'e.item'))
      .select(['r.row', 'r.cells', 'i.fields', 'e.code'])
      .where('e.workId', '=', id)
      .where('e.companyId', '=', companyId)
      .where('e.item', '>', last)
      .orderBy('e.item')
      .limit(batchSize)
      .execute()
  for (let rows = await after(-1); rows.length > 0; rows = await after(rows.at(-1)!.row))
    yield rows.map(({ row, cells, fields, code }) => ({ row, code, ...typedRow(fields, cells) }))
}
