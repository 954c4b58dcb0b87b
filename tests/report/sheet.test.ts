import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import excel from 'exceljs'
import { describe, expect, it } from 'vitest'
import { ticketSheet } from '#app/report/sheet.ts'
import { longestCell, textCell } from '#domain/report/cells.ts'
import type { TicketReportRow } from '#domain/report/contract.ts'
import { languages } from '#domain/user/rules.ts'
import { eventually } from '#tests/support/wait.ts'

const zone = 'America/Sao_Paulo'
const plain: TicketReportRow = {
  ...{ id: 501, uuid: 'x', revision: 5, status: 'closed', isGroup: false, imported: false, whatsappName: 'Loja', whatsappRemoved: false },
  ...{ contactId: 3, contactName: 'Maria', contactNumber: '5511987654321', lastMessage: 'Bom dia' },
  ...{ userId: 7, userName: 'Ana', userRemoved: false, queueId: 5, queueName: 'Vendas', queueColor: '#112233', queueRemoved: false },
  ...{ createdAt: '2026-11-10T17:31:00.000Z', closedAt: '2026-11-11T22:46:00.000Z', reopenedAt: null, NPS: 9 },
  ...{ supportTime: 1755, supportSeconds: 105_300, waitingSeconds: 60, firstAnswerSeconds: null, predecessor: null, successor: null },
  ...{ resolutionSeconds: 105_360, closedWaitingSeconds: null, closedFirstAnswerSeconds: null },
  ...{ closedSupportSeconds: null, closedResolutionSeconds: null },
}
const row = (to: Partial<TicketReportRow>): TicketReportRow => ({ ...plain, ...to })
async function* batches(...rows: TicketReportRow[][]) {
  for (const batch of rows) yield { rows: batch }
}
async function opened(rows: TicketReportRow[], to: { language?: string; limit?: number; openHours?: boolean } = {}) {
  const file = ticketSheet(batches(rows), { language: 'pt-BR', zone, ...to })
  const book = new excel.Workbook()
  await book.xlsx.load((await buffer(file)) as never)
  return book
}
/** A duration in days, as the reader of exceljs shows it. */
const dayOf = (days: number) => new Date(Date.UTC(1899, 11, 30) + Math.round(days * 86_400) * 1000)
const cellsOf = (sheet: excel.Worksheet, n: number) => (sheet.getRow(n).values as unknown[]).slice(1)
/** The column with this header. */
function column(sheet: excel.Worksheet, title: string): number {
  const at = cellsOf(sheet, 1).findIndex((header) => String(header).startsWith(title))
  expect(at, title).toBeGreaterThanOrEqual(0)
  return at + 1
}
const cell = (book: excel.Workbook, title: string, n = 2) => book.worksheets[0]!.getCell(n, column(book.worksheets[0]!, title))

describe('the Excel file (R-REPORT-02)', () => {
  it('has a row per ticket, with the zone in the header of a time', async () => {
    const book = await opened([plain])
    expect(book.worksheets.map(({ name, actualRowCount }) => [name, actualRowCount])).toEqual([['Atendimentos', 2]])
    const [sheet] = book.worksheets
    expect(cellsOf(sheet!, 1)).toEqual([
      ...['Atendimento', 'Contato', 'Número', 'Conexão', 'Fila', 'Atendente', 'Situação atual', 'Última mensagem'],
      ...[`Criado (${zone})`, `Finalizado (${zone})`, `Reaberto depois (${zone})`],
      ...['Espera', 'Primeira resposta', 'Tempo de atendimento', 'Resolução', 'NPS', 'Continua o nº', 'Continuado no nº'],
    ])
    expect(cellsOf(sheet!, 2)).toEqual([
      ...[501, 'Maria', '5511987654321', 'Loja', 'Vendas', 'Ana', 'Resolvido', 'Bom dia'],
      ...[new Date('2026-11-10T14:31:00Z'), new Date('2026-11-11T19:46:00Z'), undefined],
      ...[dayOf(60 / 86_400), undefined, dayOf(1.21875), dayOf(105_360 / 86_400), 9],
    ])
  })

  it('names opening hours in the title of each time and has the closed rest beside it (A-COUNT-05, V27)', async () => {
    const book = await opened([row({ firstAnswerSeconds: 1800, closedFirstAnswerSeconds: 309_600 })], { openHours: true })
    const titles = cellsOf(book.worksheets[0]!, 1).slice(11, 19)
    expect(titles).toEqual(
      ['Espera', 'Primeira resposta', 'Tempo de atendimento', 'Resolução'].flatMap((name) => [
        `${name} (só horário de atendimento)`,
        `${name} (fora do horário)`,
      ]),
    )
    const [open, closed] = ['só horário de atendimento', 'fora do horário'].map((mode) => cell(book, `Primeira resposta (${mode})`).value)
    expect([open, closed]).toEqual([dayOf(1800 / 86_400), dayOf(309_600 / 86_400)])
  })

  it('writes durations as parts of a day, shown as hours (V44)', async () => {
    const book = await opened([plain, row({ supportSeconds: 72_000 })])
    const times = [2, 3].map((n) => cell(book, 'Tempo de atendimento', n))
    expect(times.map(({ numFmt }) => numFmt)).toEqual(['[h]:mm', '[h]:mm'])
    expect(times.map(({ value }) => value)).toEqual([dayOf(1.21875), dayOf(20 / 24)])
  })

  it('keeps numbers as texts with all digits (V44)', async () => {
    const book = await opened([plain, row({ contactNumber: '08001234567' })])
    const cells = [2, 3].map((n) => cell(book, 'Número', n))
    expect(cells.map(({ value, numFmt }) => [value, numFmt])).toEqual([
      ['5511987654321', '@'],
      ['08001234567', '@'],
    ])
  })

  it.each(['=1+1', '=HYPERLINK("http://x.test","a")', '+1+1', '-2+3', '@SUM(A1)', '\t=1', '"quoted" & <tag>', '_x0041_'])(
    'keeps %j a text (V43)',
    async (typed) => {
      const book = await opened([row({ contactName: typed, userName: typed, lastMessage: typed })])
      for (const title of ['Contato', 'Atendente', 'Última mensagem']) {
        const { text, type, formula, numFmt } = cell(book, title)
        const decoded = text.replaceAll('_x005F_', '_') // which Excel does when it opens the file
        expect([decoded, type, formula, numFmt]).toEqual([typed, excel.ValueType.String, undefined, '@'])
      }
    },
  )

  it('cuts a long text before a whole character, and removes control characters (V44)', async () => {
    const book = await opened([row({ lastMessage: `${'x'.repeat(longestCell - 2)}👩‍👧${'y'.repeat(8000)}`, contactName: 'Ma\u0001ria' })])
    expect(cell(book, 'Última mensagem').value).toBe(`${'x'.repeat(longestCell - 2)}…`)
    expect(cell(book, 'Contato').value).toBe('Maria')
    expect([textCell('x'.repeat(longestCell)).length, textCell('x'.repeat(longestCell + 1)).length]).toEqual([longestCell, longestCell])
    expect(textCell('a\ud800b\ufffe')).toBe('a\ufffdb')
  })

  it('leaves unmeasured values empty, and marks what was removed (A-COUNT-13, V38)', async () => {
    const nothing = { supportSeconds: null, waitingSeconds: null, closedAt: null, NPS: null, userId: null, userName: null }
    const book = await opened([row({ ...nothing, queueRemoved: true, whatsappRemoved: true, whatsappName: null })])
    for (const title of ['Tempo de atendimento', 'Espera', 'Finalizado', 'NPS', 'Atendente']) expect(cell(book, title).value).toBe(null)
    expect([cell(book, 'Fila').value, cell(book, 'Conexão').value]).toEqual(['Vendas (removido)', 'Conexão removida'])
  })

  it('begins a sheet with a header when one is full, and cuts nothing (V18)', async () => {
    const book = await opened(
      Array.from({ length: 25 }, (_, id) => row({ id: id + 1 })),
      { limit: 10 },
    )
    expect(book.worksheets.map(({ name, actualRowCount }) => [name, actualRowCount])).toEqual([
      ['Atendimentos', 11],
      ['Atendimentos 2', 11],
      ['Atendimentos 3', 6],
    ])
    for (const sheet of book.worksheets) expect(cellsOf(sheet, 1)[0]).toBe('Atendimento')
    expect(cellsOf(book.worksheets[2]!, 6)[0]).toBe(25)
  })

  it('of no rows has a header', async () => {
    expect((await opened([])).worksheets.map(({ actualRowCount }) => actualRowCount)).toEqual([1])
  })

  it.each(languages)('has a header in %s', async (language) => {
    const headers = cellsOf((await opened([plain], { language })).worksheets[0]!, 1)
    expect([headers.length, new Set(headers).size]).toEqual([18, 18])
  })
})

describe('a file that is no longer wanted', () => {
  /** Endless rows, and how many batches were read. */
  function endless() {
    const read = { batches: 0, ended: false }
    const rows = Array.from({ length: 500 }, (_, id) => row({ id: id + 1, lastMessage: randomBytes(600).toString('base64') }))
    async function* all() {
      try {
        for (;;) {
          read.batches++
          yield { rows }
        }
      } finally {
        read.ended = true
      }
    }
    return { read, all }
  }

  it('stops the reading (V18)', async () => {
    const { read, all } = endless()
    const file = ticketSheet(all(), { language: 'en', zone })
    file.on('error', () => {})
    file.once('data', () => file.destroy())
    await eventually(
      async () => read.ended,
      (ended) => ended,
    )
  })

  it('is not written ahead of a slow reader', async () => {
    const { read, all } = endless()
    const file = ticketSheet(all(), { language: 'en', zone })
    let before = -1
    await eventually(
      async () => {
        const stands = read.batches > 0 && read.batches === before
        before = read.batches
        return stands
      },
      (stands) => stands,
    )
    expect(read.batches).toBeLessThan(20)
    file.on('error', () => {}).destroy()
  })

  it('fails if the reading fails, instead of ending early', async () => {
    async function* failing() {
      yield { rows: [plain] }
      throw new Error('The database is gone')
    }
    await expect(buffer(ticketSheet(failing(), { language: 'en', zone }) as Readable)).rejects.toThrow('The database is gone')
  })
})
