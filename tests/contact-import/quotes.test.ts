import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parsedRows } from '#app/contact-import/csv-parser.ts'
import { contactTable } from '#tests/support/contact-table.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const upload = async (text: string, fields?: Record<string, string>) =>
  (await app.as('ana')('POST', '/contacts/upload', contactTable(text, 'c.csv', fields))).body
const rowsOf = (text: string) => [...parsedRows(text, ';')].map(({ cells }) => cells)
const openIn = (text: string) => [...parsedRows(text, ';')].filter((row) => row.hasOpenQuote).map(({ row }) => row)
const numbers = ['11985550701', '11985550702', '11985550703', '11985550704']
const [n1, n2, n3] = numbers as [string, string, string]

describe('a quotation mark that is not closed joins no rows', () => {
  it.each(['\n', '\r\n', '\r'])('in a row before others, with lines that end in %j', (end) => {
    const text = ['Nome;Número', `"Ana;${n1}`, `Bia;${n2}`, `Caio;${n3}`].join(end)
    expect(rowsOf(text)).toEqual([
      ['Nome', 'Número'],
      ['"Ana', n1],
      ['Bia', n2],
      ['Caio', n3],
    ])
    expect(openIn(text)).toEqual([2])
  })
  it('in a row before one with quoted cells', () => {
    const text = `Nome;Número\n"Ana;${n1}\n"Silva; Bia";"${n2}"\nCaio;${n3}\n`
    expect(rowsOf(text).slice(1)).toEqual([
      ['"Ana', n1],
      ['Silva; Bia', n2],
      ['Caio', n3],
    ])
    expect(openIn(text)).toEqual([2])
  })
  it('in the titles and in the last row', () => {
    expect(rowsOf(`"Nome;Número\nAna;${n1}\nBia;"${n2}`)).toEqual([
      ['"Nome', 'Número'],
      ['Ana', n1],
      ['Bia', `"${n2}`],
    ])
    expect(rowsOf(`"Nome;Número\nAna;${n1}\nBia";${n2}`)).toHaveLength(3)
    expect(openIn(`"Nome;Número\nAna;${n1}\nBia;"${n2}`)).toEqual([1, 3])
  })
  it('in a row whose other mark is at the end of a later cell', () => {
    const text = `Nome;Número;Nota\n"Ana;${n1};x\nBia";${n2};y\nCaio;${n3};z\n`
    expect(rowsOf(text).slice(1)).toEqual([
      ['"Ana', n1, 'x'],
      ['Bia"', n2, 'y'],
      ['Caio', n3, 'z'],
    ])
    expect(openIn(text)).toEqual([2])
  })
  it('in a row with more empty cells than the next one', () => {
    expect(rowsOf(`Nome;Número;Nota\n"Ana;${n1};\nBia";${n2}\n`).slice(1)).toEqual([
      ['"Ana', n1],
      ['Bia"', n2],
    ])
  })
  it('in a cell that goes on after its second mark', () => {
    expect(rowsOf(`Nome;Número\n"Ana" Lima;"${n1}"\nTubo 5";${n2}\n"5" tubo";${n3}`).slice(1)).toEqual([
      ['"Ana" Lima', n1],
      ['Tubo 5"', n2],
      ['"5" tubo"', n3],
    ])
  })
  it('in many rows', () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => `"Ana ${n};${n1};""x\n"""Bia;${n2};"`)
    expect(rowsOf(rows.join('\n'))).toHaveLength(100_000)
  })
})

it.each([
  [`"Ana";"${n1}";"Rua A, 5\nApto 3"`, ['Ana', n1, 'Rua A, 5\nApto 3']],
  [`Ana;${n1};"linha 1\r\n\r\nlinha 2; ""ok"""`, ['Ana', n1, 'linha 1\r\n\r\nlinha 2; "ok"']],
  [`Ana;${n1};"Mãe: ${n2}\nPai; ${n3}"`, ['Ana', n1, `Mãe: ${n2}\nPai; ${n3}`]],
  [`Ana;"${n1}" ;""`, ['Ana', n1]],
])('the quoted cells of %j are read as they are', (text, cells) => {
  expect([...parsedRows(`Nome;Número;Nota\n${text}\nBia;${n2};x\n`, ';')]).toEqual([
    { row: 1, cells: ['Nome', 'Número', 'Nota'] },
    { row: 2, cells },
    { row: 3, cells: ['Bia', n2, 'x'] },
  ])
})

it('an upload names the rows whose quotation marks are not closed, and loses none', async () => {
  const table = await upload(`"Nome;Número\n"Ana;${n1}\nBia;${n2}\nCaio;${n3}\n`)
  expect(table).toMatchObject({ total: 3, openQuotes: [1, 2], counts: { created: 3, ignored: 0 }, columns: [{ field: 'name' }, {}] })
  expect(await upload(`Nome;Número\n"Ana";${n1}\n`)).toMatchObject({ total: 1, openQuotes: [] })
  expect(await upload(`Nome;Número\n"Ana;${n1}\n`)).toMatchObject({ total: 1, openQuotes: [2] })
})
