import type { Readable } from 'node:stream'
import { dateCell, durationCell, textCell } from '#domain/report/cells.ts'
import type { TicketReportRow } from '#domain/report/contract.ts'

import { type ReportText, reportText } from '#domain/report/texts.ts'
import { type Column as ExcelColumn, excelFile } from './excel-file.ts'

type Batches = AsyncIterable<{ rows: TicketReportRow[] }>
type Options = { language: string; zone: string; limit?: number }
type Column = ExcelColumn<TicketReportRow>

function columnsIn({ language, zone }: Options): Column[] {
  const named = (name: string | null, removed: boolean) => (name !== null && removed ? reportText('removed', language, { name }) : name)
  const date = (at: string | null) => (at === null ? null : dateCell(zone, at))
  const text = (title: ReportText, width: number, of: (row: TicketReportRow) => string | null): Column => ({
    ...{ title: reportText(title, language), width, format: 'text' },
    cell: (row) => textCell(of(row) ?? '') || null,
  })
  const number = (title: ReportText, of: (row: TicketReportRow) => number | null): Column => ({
    ...{ title: reportText(title, language), width: 12, format: 'number', cell: of },
  })
  const moment = (title: ReportText, of: (row: TicketReportRow) => string | null): Column => ({
    ...{ title: reportText(title, language), width: 32, format: 'date', cell: (row) => date(of(row)) },
  })
  const duration = (title: ReportText, of: (row: TicketReportRow) => number | null): Column => ({
    ...{ title: reportText(title, language), width: 18, format: 'duration', cell: (row) => durationCell(of(row)) },
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

/** The report as an Excel file (R-REPORT-02). */
export const ticketSheet = (batches: Batches, options: Options): Readable =>
  excelFile(columnsIn(options), rowsOf(batches), { name: reportText('sheet', options.language), ...options })
async function* rowsOf(batches: Batches) {
  for await (const { rows } of batches) yield rows
}
