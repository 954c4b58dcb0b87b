import { Readable } from 'node:stream'
import type { Answer } from '#domain/contract.ts'
import type { report, TicketReportRow } from '#domain/report/contract.ts'

type Batches = AsyncIterable<{ total: number; rows: TicketReportRow[] }>

/** The answer of the report as a stream, so that no more than one batch is in memory. */
export const reportJson = (batches: Batches) => Readable.from(partsOf(batches)) as unknown as Answer<(typeof report)['tickets']>

async function* partsOf(batches: Batches): AsyncGenerator<string> {
  let separator = ''
  for await (const { total, rows } of batches) {
    const opening = separator === '' ? `{"totalTickets":${JSON.stringify({ total })},"tickets":[` : ''
    const items = rows.map((row) => JSON.stringify(row)).join(',')
    yield opening + (opening === '' ? separator : '') + items
    separator = ','
  }
  yield ']}'
}
