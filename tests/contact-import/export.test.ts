import excel from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  for (const [name, number] of [
    ['=1+1 Planilha', '5511985300001'],
    ['"Aspas"; Planilha', '5511985300002'],
  ])
    await app.as('admin')('POST', '/contactsImport', { name, number, email: 'p@casa.test', tags: 'Feira' })
})
afterAll(() => app.stop())

async function exported(who: 'admin' | 'ana', path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${await app.tokenOf(who)}` }
  return fetch(`${app.url}/api/contacts/export${path}?searchParam=planilha`, { headers })
}

it.each(['', '/csv'])('what was exported%s is imported with the same values', async (format) => {
  const { admin } = { admin: app.as('admin') }
  const names = ['=SUM(A1) volta', '-Bia volta', '@caio volta', '+55 loja volta', "'=x volta", '"Aspas"; volta', 'Conceição volta']
  const numbers = names.map((_, n) => `55119853100${10 + n}`)
  for (const [n, name] of names.entries())
    await admin('POST', '/contactsImport', { name, number: numbers[n]!, email: 'v@casa.test', tags: 'Feira, Sul' })
  const listed = async (): Promise<any[]> =>
    (await admin('GET', '/contacts?searchParam=volta')).body.contacts.toSorted((a: any, b: any) => (a.number < b.number ? -1 : 1))
  const shown = async () =>
    (await listed()).map(({ name, number, email, tags }) => ({ name, number, email, tags: tags.map((tag: { name: string }) => tag.name) }))
  const before = await shown()
  expect(before.map(({ name }) => name)).toEqual(names)
  const headers = { authorization: `Bearer ${await app.tokenOf('admin')}` }
  const answer = await fetch(`${app.url}/api/contacts/export${format}?searchParam=volta`, { headers })
  const file = new Uint8Array(await answer.arrayBuffer())
  for (const { id } of await listed()) expect((await admin('DELETE', `/contacts/${id}`)).status).toBeLessThan(300)
  expect(await shown()).toEqual([])
  const { body: table } = await admin('POST', '/contacts/upload', contactTable(file, format === '' ? 'c.xlsx' : 'c.csv'))
  expect(table.counts).toEqual({ created: names.length, updated: 0, unchanged: 0, leftOut: 0, ignored: 0 })
  const { body: work } = await admin('POST', `/contacts/upload/${table.id}/begin`, { existing: 'update' })
  const state = async () => (await admin('GET', '/works')).body.find(({ id }: { id: number }) => id === work.id).state
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
  expect(await shown()).toEqual(before)
  for (const { id } of await listed()) await admin('DELETE', `/contacts/${id}`)
})

describe('the export of contacts (R-CONTACT-08)', () => {
  it('has the listed contacts as text that a spreadsheet does not calculate', async () => {
    const answer = await exported('admin', '/csv')
    expect(answer.headers.get('content-disposition')).toContain('contatos.csv')
    const [title, ...lines] = Buffer.from(await answer.arrayBuffer())
      .toString('utf8')
      .split('\r\n')
    expect(title).toBe('\ufeff"Nome";"Número";"E-mail";"Tags";"Canal";"Criado"')
    const cells = lines.map((line) => line.split(';"p@')[0]!).toSorted()
    expect(cells).toEqual(['', '"\'=1+1 Planilha";"5511985300001"', '"""Aspas""; Planilha";"5511985300002"'].toSorted())
    const { events } = (await app.as('admin')('GET', '/security-log?kind=exported')).body
    expect(events[0]).toMatchObject({ user: { name: 'admin' }, detail: { list: 'contacts', format: 'csv' } })
  })
  it('is an Excel file whose cells are texts, with numbers masked for a masked user', async () => {
    for (const key of ['enableLGPD', 'lgpdHideNumber'])
      expect((await app.as('admin')('PUT', `/settings/${key}`, { value: 'enabled' })).status).toBe(200)
    const book = new excel.Workbook()
    await book.xlsx.load(await (await exported('ana', '')).arrayBuffer())
    const rows = book.worksheets[0]!.getSheetValues().slice(2) as unknown[][]
    expect(rows.map((row) => String(row[1])).toSorted()).toEqual(['"Aspas"; Planilha', '=1+1 Planilha'])
    expect(rows.map((row) => String(row[2])).toSorted()).toEqual(['5511*******01', '5511*******02'])
    expect((await app.as('ana')('POST', '/contacts/upload', new FormData())).status).toBe(403)
  })
})
