import { PassThrough, type Readable, type Writable } from 'node:stream'
import type { stream, Worksheet } from 'exceljs'
import { dateCell, durationCell, rowsPerSheet, textCell } from '#domain/report/cells.ts'
import type { TicketReportRow } from '#domain/report/contract.ts'
import { type ReportText, reportText } from '#domain/report/words.ts'

type Batches = AsyncIterable<{ rows: TicketReportRow[] }>
/** `limit`: rows of a sheet beside its header. */
type Options = { language: string; zone: string; limit?: number }
type Cell = string | number | Date | null
type Column = { title: ReportText; width: number; format: 'text' | 'number' | 'date' | 'duration'; cell: (row: TicketReportRow) => Cell }

/** A text format keeps a cell a text after it is edited, so that a text such as =1+1 never becomes a formula. */
const formats = { text: '@', number: '0', duration: '[h]:mm' }
const dateFormats: Record<string, string> = { en: 'yyyy-mm-dd hh:mm', tr: 'dd.mm.yyyy hh:mm' }

function columnsIn({ language, zone }: Options): Column[] {
  const named = (name: string | null, removed: boolean) => (name !== null && removed ? reportText('removed', language, { name }) : name)
  const date = (at: string | null) => (at === null ? null : dateCell(zone, at))
  const text = (title: ReportText, width: number, of: (row: TicketReportRow) => string | null): Column => ({
    ...{ title, width, format: 'text' },
    cell: (row) => textCell(of(row) ?? '') || null,
  })
  const number = (title: ReportText, of: (row: TicketReportRow) => number | null): Column => ({
    ...{ title, width: 12, format: 'number', cell: of },
  })
  const moment = (title: ReportText, of: (row: TicketReportRow) => string | null): Column => ({
    ...{ title, width: 32, format: 'date', cell: (row) => date(of(row)) },
  })
  const duration = (title: ReportText, of: (row: TicketReportRow) => number | null): Column => ({
    ...{ title, width: 18, format: 'duration', cell: (row) => durationCell(of(row)) },
  })
  return [
    number('id', ({ id }) => id),
    text('contactName', 28, ({ contactName }) => contactName),
    text('contactNumber', 18, ({ contactNumber }) => contactNumber),
    text('whatsappName', 18, (row) => (row.whatsappRemoved ? reportText('removedConnection', language) : row.whatsappName)),
    text('queueName', 18, (row) => named(row.queueName, row.queueRemoved)),
    text('userName', 18, (row) => named(row.userName, row.userRemoved)),
    text('status', 18, ({ status }) => reportText(status, language)),
    text('lastMessage', 48, ({ lastMessage }) => lastMessage),
    moment('createdAt', ({ createdAt }) => createdAt),
    moment('closedAt', ({ closedAt }) => closedAt),
    moment('reopenedAt', ({ reopenedAt }) => reopenedAt),
    duration('waitingTime', ({ waitingSeconds }) => waitingSeconds),
    duration('firstAnswerTime', ({ firstAnswerSeconds }) => firstAnswerSeconds),
    duration('supportTime', ({ supportSeconds }) => supportSeconds),
    number('NPS', ({ NPS }) => NPS),
    number('predecessor', ({ predecessor }) => predecessor?.id ?? null),
    number('successor', ({ successor }) => successor?.id ?? null),
  ]
}

/**
 * The report as an Excel file (R-REPORT-02). It is written while the rows are read, so that its size does not matter, and the reading stops
 * when the file is no longer wanted.
 */
export function ticketSheet(batches: Batches, options: Options): Readable {
  const file = new PassThrough()
  write(batches, options, file).catch((error: Error) => file.destroy(error))
  return file
}

async function write(batches: Batches, options: Options, file: PassThrough): Promise<void> {
  const { default: excel } = await import('exceljs') // on first use, because it takes memory and time to load
  const book = new excel.stream.xlsx.WorkbookWriter({ stream: file, useStyles: true, useSharedStrings: false })
  const zip = zipOf(book)
  const closed = new Promise<never>((_, reject) => {
    file.once('close', () => reject(new Error('The file was given up')))
    zip.on('error', reject)
  })
  closed.catch(() => zip.abort()) // nothing may wait for it
  const columns = columnsIn(options)
  const { limit = rowsPerSheet } = options
  let sheet = addSheet(book, columns, options, 1)
  let written = 0
  for await (const { rows } of batches) {
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

function addSheet(book: stream.xlsx.WorkbookWriter, columns: Column[], { language, zone }: Options, n: number): Worksheet {
  const name = reportText('sheet', language)
  const sheet = book.addWorksheet(n === 1 ? name : `${name} ${n}`, { views: [{ state: 'frozen', ySplit: 1 }] })
  const formatOf = ({ format }: Column) => (format === 'date' ? (dateFormats[language] ?? 'dd/mm/yyyy hh:mm') : formats[format])
  sheet.columns = columns.map((column) => ({
    header: reportText(column.title, language) + (column.format === 'date' ? ` (${zone})` : ''),
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
