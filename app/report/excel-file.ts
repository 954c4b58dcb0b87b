import { PassThrough, type Readable, type Writable } from 'node:stream'
import type { stream, Worksheet } from 'exceljs'
import { rowsPerSheet } from '#domain/report/cells.ts'

export type Cell = string | number | Date | null
export type Column<Row> = {
  title: string
  width: number
  format: 'text' | 'number' | 'decimal' | 'date' | 'duration'
  cell: (row: Row) => Cell
}
/** `limit`: the maximum number of rows of a sheet without its header. `zone`: the headers of dates name it. */
export type FileOptions = { name: string; language: string; zone: string; limit?: number | undefined }
type Batches<Row> = AsyncIterable<Row[]> | Iterable<Row[]>

/** A text format keeps a cell a text after it is edited, so that a text such as =1+1 never becomes a formula. */
const formats = { text: '@', number: '0', decimal: '0.0', duration: '[h]:mm' }
const dateFormats: Record<string, string> = { en: 'yyyy-mm-dd hh:mm', tr: 'dd.mm.yyyy hh:mm' }

/**
 * Rows as an Excel file. It is written while the rows are read, so that its size does not matter, and the reading stops when the file is no
 * longer wanted.
 */
export function excelFile<Row>(columns: Column<Row>[], batches: Batches<Row>, options: FileOptions): Readable {
  const file = new PassThrough()
  write(columns, batches, options, file).catch((error: Error) => file.destroy(error))
  return file
}

async function write<Row>(columns: Column<Row>[], batches: Batches<Row>, options: FileOptions, file: PassThrough): Promise<void> {
  const { default: excel } = await import('exceljs') // on first use, because it takes memory and time to load
  const book = new excel.stream.xlsx.WorkbookWriter({ stream: file, useStyles: true, useSharedStrings: false })
  const zip = zipOf(book)
  const closed = new Promise<never>((_, reject) => {
    file.once('close', () => reject(new Error('The file was given up')))
    zip.on('error', reject)
  })
  closed.catch(() => zip.abort()) // nothing may wait for it
  const { limit = rowsPerSheet } = options
  let sheet = addSheet(book, columns, options, 1)
  let written = 0
  for await (const rows of batches) {
    for (const row of rows) {
      if (written > 0 && written % limit === 0) {
        sheet.commit()
        sheet = addSheet(book, columns, options, written / limit + 1)
      }
      sheet.addRow(columns.map(({ cell }) => cell(row))).commit()
      written++
    }
    await Promise.race([flushed(sheet), closed])
  }
  await Promise.race([book.commit(), closed])
}

function addSheet<Row>(
  book: stream.xlsx.WorkbookWriter,
  columns: Column<Row>[],
  { name, language, zone }: FileOptions,
  n: number,
): Worksheet {
  const sheet = book.addWorksheet(n === 1 ? name : `${name} ${n}`, { views: [{ state: 'frozen', ySplit: 1 }] })
  const formatOf = ({ format }: Column<Row>) => (format === 'date' ? (dateFormats[language] ?? 'dd/mm/yyyy hh:mm') : formats[format])
  sheet.columns = columns.map((column) => ({
    header: column.title + (column.format === 'date' ? ` (${zone})` : ''),
    ...{ width: column.width, style: { numFmt: formatOf(column) } },
  }))
  const header = sheet.getRow(1)
  header.font = { bold: true }
  header.commit()
  return sheet
}

/* The writer of exceljs does not wait for a slow reader, and its types do not show the streams for which to wait. */
type Zip = { abort: () => void; on: (event: 'error', listener: (error: Error) => void) => void }
const zipOf = (book: stream.xlsx.WorkbookWriter) => (book as unknown as { zip: Zip }).zip
/** Resolves when the rows so far have been compressed and taken. */
async function flushed(sheet: Worksheet): Promise<void> {
  const { pipes } = (sheet as unknown as { stream: { pipes: Writable[] } }).stream
  await Promise.all(pipes.map((pipe) => new Promise<void>((resolve) => pipe.write(Buffer.alloc(0), () => resolve()))))
}
