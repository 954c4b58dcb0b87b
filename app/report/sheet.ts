import type { Readable } from 'node:stream'
import { dateCell, durationCell, textCell } from '#domain/report/cells.ts'
import type { TicketReportRow } from '#domain/report/contract.ts'

import { type ReportText, reportText } from '#domain/report/texts.ts'
import { type Column as ExcelColumn, excelFile } from './excel-file.ts'

type Batches = AsyncIterable<{ rows: TicketReportRow[] }>
/** `openHours`: the times are measured in opening hours. */
type Options = { language: string; zone: string; limit?: number; openHours?: boolean }
type Column = ExcelColumn<TicketReportRow>

function columnsIn({ language, zone, openHours = false }: Options): Column[] {
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
  /** With opening hours, the title names them, and a second column has the closed rest. */
  const times = (title: ReportText, open: (row: TicketReportRow) => number | null, closed: typeof open): Column[] => {
    const named = (text: ReportText) => reportText(text, language, { name: reportText(title, language) })
    if (!openHours) return [duration(title, open)]
    return [
      { ...duration(title, open), title: named('inOpenHours') },
      { ...duration(title, closed), title: named('inClosedHours') },
    ]
  }
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
    ...times(
      'waitingTime',
      (row) => row.waitingSeconds,
      (row) => row.closedWaitingSeconds,
    ),
    ...times(
      'firstAnswerTime',
      (row) => row.firstAnswerSeconds,
      (row) => row.closedFirstAnswerSeconds,
    ),
    ...times(
      'supportTime',
      (row) => row.supportSeconds,
      (row) => row.closedSupportSeconds,
    ),
    ...times(
      'resolutionTime',
      (row) => row.resolutionSeconds,
      (row) => row.closedResolutionSeconds,
    ),
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
