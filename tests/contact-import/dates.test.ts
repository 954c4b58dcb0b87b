import excel from 'exceljs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtInFormat, customFormat } from '#domain/contact-import/dates.ts'
import { guessFields } from '#domain/contact-import/table.ts'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

it.each([
  ['dd/mm/yyyy', true, false],
  ['d-mmm-yy', true, false],
  ['[$-416]d" de "mmmm" de "yyyy;@', true, false],
  ['mmm/yy', true, false],
  ['mm', true, false],
  ['dd/mm/yyyy hh:mm', true, true],
  ['h:mm AM/PM', false, true],
  ['[h]:mm', false, false],
  ['General', false, false],
  ['0.00E+00', false, false],
  ['[Red]#,##0.00;"dia" 0', false, false],
  ['"R$" #,##0.00', false, false],
  ['\\d0', false, false],
  ['@', false, false],
])('the number format %s shows a date: %s, and a time: %s', (code, date, time) => expect(customFormat(code)).toEqual({ date, time }))

it('the formats without a text are those of the standard', () => {
  const shown = Array.from({ length: 60 }, (_, id) => builtInFormat(id))
  expect(shown.flatMap(({ date }, id) => (date ? [id] : []))).toEqual([
    ...[14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36],
    ...[50, 51, 52, 53, 54, 55, 56, 57, 58],
  ])
  expect(shown.flatMap(({ time }, id) => (time ? [id] : []))).toEqual([18, 19, 20, 21, 22, 32, 33, 45, 47])
})

const day = (at: string) => new Date(`${at}Z`)
async function workbook(date1904: boolean): Promise<Uint8Array> {
  const book = new excel.Workbook()
  book.properties.date1904 = date1904
  const sheet = book.addWorksheet('Um')
  sheet.addRow(['Nome', 'Número', 'Nascimento', 'Retorno', 'Hora', 'Código', 'Mês'])
  const row = sheet.addRow(['Rita', 5511985550951, day('1990-05-07T00:00'), day('2026-12-31T15:30'), 0.75, 33000, 33000])
  const formats: [number, string][] = [
    [2, 'dd/mm/yyyy'],
    [4, 'd/m/yy h:mm'],
    [5, 'hh:mm'],
    [7, 'd"/"mmm'],
  ]
  for (const [column, numFmt] of formats) row.getCell(column).numFmt = numFmt
  return new Uint8Array(await book.xlsx.writeBuffer())
}
it.each([
  ['pt-BR', false, ['Rita', '5511985550951', '07/05/1990', '31/12/2026 15:30', '18:00', '33000', '07/05/1990']],
  ['tr', false, ['Rita', '5511985550951', '07.05.1990', '31.12.2026 15:30', '18:00', '33000', '07.05.1990']],
  ['pt-BR', true, ['Rita', '5511985550951', '07/05/1990', '31/12/2026 15:30', '18:00', '33000', '08/05/1994']],
])('dates of a workbook are read as they are written in %s; from 1904: %s', async (language, date1904, cells) => {
  const { users } = app.company
  expect((await app.as('ana')('PUT', `/users/${users.ana}/language`, { language })).status).toBeLessThan(300)
  const { body } = await app.as('ana')('POST', '/contacts/upload', contactTable(await workbook(date1904)))
  expect(body.rows[0].cells).toEqual(cells)
})

it('a text field keeps the date of a workbook, and a date field its day', async () => {
  await app.as('admin')('PUT', '/settings/contactFields', { value: 'Nascimento: date' })
  const { body: table } = await app.as('ana')('POST', '/contacts/upload', contactTable(await workbook(false)))
  const fields = ['name', 'number', 'extra', 'extra', '', '', '']
  expect((await app.as('ana')('PUT', `/contacts/upload/${table.id}`, { fields })).body.counts).toMatchObject({ created: 1, ignored: 0 })
  const { body: work } = await app.as('ana')('POST', `/contacts/upload/${table.id}/begin`, { existing: 'update' })
  const state = async () => (await app.as('ana')('GET', '/works')).body.find(({ id }: { id: number }) => id === work.id).state
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
  const [contact] = (await app.as('ana')('GET', '/contacts?searchParam=5511985550951')).body.contacts
  expect(contact.extraInfo.map(({ name, value }: { name: string; value: string }) => [name, value])).toEqual([
    ['Nascimento', '1990-05-07'],
    ['Retorno', '31/12/2026 15:30'],
  ])
})

it('a column of dates is not taken for that of numbers', () => {
  const rows = [
    ['07/05/1990', 'Rita', '11985550951'],
    ['1990-05-08', 'Zé', '11985550952'],
  ]
  expect(guessFields(['', '', ''], rows)).toEqual(['', 'name', 'number'])
})
