import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateRawSync } from 'node:zlib'
import excel from 'exceljs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvRows, guessEncoding, separatorOf } from '#app/contact-import/csv-rows.ts'
import { xlsxRows } from '#app/contact-import/xlsx-rows.ts'
import { guessFields, hasTitles } from '#domain/contact-import/table.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tables-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function saved(content: string | Uint8Array): Promise<string> {
  const file = path.join(folder, crypto.randomUUID())
  await writeFile(file, content)
  return file
}
async function csv(content: string | Uint8Array) {
  const file = await saved(content)
  const encoding = await guessEncoding(file)
  const separator = await separatorOf(file, encoding)
  return { encoding, separator, rows: await Array.fromAsync(csvRows(file, encoding, separator)) }
}
async function xlsx(content: Uint8Array) {
  return Array.fromAsync(xlsxRows(await saved(content)))
}
const utf16 = (text: string, mark = '\ufeff') => Buffer.from(mark + text, 'utf16le')

describe('a separated text', () => {
  it.each([
    ['utf-8', Buffer.from('Nome;Número\nJosé;1')],
    ['utf-8', Buffer.from('\ufeffNome;Número\nJosé;1')],
    ['windows-1252', Buffer.from('Nome;Número\nJosé;1', 'latin1')],
    ['utf-16le', utf16('Nome;Número\nJosé;1')],
    ['utf-16le', utf16('Nome;Número\nJosé;1', '')],
    ['utf-16be', utf16('Nome;Número\nJosé;1').swap16()],
  ])('is read as %s', async (encoding, content) => {
    const cells = [
      { row: 1, cells: ['Nome', 'Número'] },
      { row: 2, cells: ['José', '1'] },
    ]
    expect(await csv(content)).toEqual({ encoding, separator: ';', rows: cells })
  })
  it.each([';', ',', '\t'])('is divided by %j', async (separator) => {
    const text = `Nome${separator}Número\n"Silva${separator} Ana"${separator}1`
    expect(await csv(text)).toMatchObject({ separator, rows: [{}, { cells: [`Silva${separator} Ana`, '1'] }] })
  })
  it('has quoted line breaks and quotation marks, and counts empty rows', async () => {
    const { rows } = await csv('a;b\r\n\r\n"x\r\n""y""";2\r\n;;\r\n')
    expect(rows).toEqual([
      { row: 1, cells: ['a', 'b'] },
      { row: 3, cells: ['x\r\n"y"', '2'] },
    ])
  })
  it('that is no text or has too many columns is refused', async () => {
    await expect(csv(Buffer.from([0, 0, 1, 0, 0, 0, 7, 0, 0]))).rejects.toMatchObject({ code: 'ERR_IMPORT_FILE' })
    await expect(csv(Array.from({ length: 51 }, () => 'x').join(','))).rejects.toMatchObject({ code: 'ERR_IMPORT_COLUMNS' })
  })
})

describe('a workbook', () => {
  const workbook = async (rows: unknown[][]) => {
    const book = new excel.Workbook()
    book.addWorksheet('Um').addRows(rows)
    book.addWorksheet('Dois').addRow(['outra'])
    return new Uint8Array(await book.xlsx.writeBuffer())
  }
  it('gives the rows of its first sheet, with whole numbers', async () => {
    const rows = await xlsx(await workbook([['Nome', 'Número'], ['A & <B>', 5511955557070], [], [null, '  '], ['Zé', '+55 11']]))
    expect(rows).toEqual([
      { row: 1, cells: ['Nome', 'Número'] },
      { row: 2, cells: ['A & <B>', '5511955557070'] },
      { row: 5, cells: ['Zé', '+55 11'] },
    ])
  })
  it('that is cut or no workbook is refused', async () => {
    const whole = await workbook([['Nome'], ['Zé']])
    for (const size of [4, 30, whole.length / 2, whole.length - 30])
      await expect(xlsx(whole.subarray(0, size))).rejects.toMatchObject({ code: 'ERR_IMPORT_FILE' })
    await expect(xlsx(zip({ 'a.txt': 'olá' }))).rejects.toMatchObject({ code: 'ERR_IMPORT_FILE' })
  })
  it('that becomes too large is refused while it is read', async () => {
    const parts = {
      'xl/workbook.xml': '<workbook><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="sheet.xml"/></Relationships>',
      'xl/sharedStrings.xml': '<sst>'.padEnd(60 * 1024 * 1024, '<si/>'),
      'xl/sheet.xml': '<sheetData/>',
    }
    await expect(xlsx(zip(parts))).rejects.toMatchObject({ code: 'ERR_TOO_LARGE' })
    await expect(xlsx(zip({ ...parts, 'xl/sharedStrings.xml': 'x'.repeat(9_000_000) }))).rejects.toMatchObject({ code: 'ERR_IMPORT_FILE' })
  })
})

describe('the columns of a table', () => {
  it.each([
    ['Nome', 'Número'],
    ['Name', 'Phone'],
    ['Nombre', 'Teléfono'],
    ['Ad', 'Numara'],
  ])('are found by %s and %s', (name, number) => {
    const columns = [number, 'E-mail', name, 'Tags']
    expect(hasTitles([columns, ['5511', '', 'Rita', '']])).toBe(true)
    expect(guessFields(columns, [])).toEqual(['number', 'email', 'name', 'tags'])
  })
  it('are found by their content if they have no titles', () => {
    const rows = [
      ['1', 'Rita Lopes', 'rita@casa.test', '11 98555-7070'],
      ['2', 'Zé', '', '(11) 98555-7071'],
      ['3', 'Ana', 'ana@casa.test', '11985557072'],
    ]
    expect(hasTitles(rows)).toBe(false)
    expect(guessFields(['', '', '', ''], rows)).toEqual(['', 'name', 'email', 'number'])
  })
})

/** A zip file with these texts. */
function zip(files: Record<string, string>): Uint8Array {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const data = deflateRawSync(text)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(8, 8)
    header.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts.push(header, Buffer.from(name), data)
    list.push(entry, Buffer.from(name))
    at += 30 + name.length + data.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end])
}
