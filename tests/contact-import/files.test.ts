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
async function xlsx(content: Uint8Array, language = 'pt-BR') {
  return Array.fromAsync(xlsxRows(await saved(content), language))
}
const utf16 = (text: string, mark = '\ufeff') => Buffer.from(mark + text, 'utf16le')

describe('a separated text', () => {
  it.each([
    ['utf-8', Buffer.from('Nome;Número\nJosé;1')],
    ['utf-8', Buffer.from('\ufeffNome;Número\nJosé;1')],
    ['windows-1252', Buffer.from('Nome;Número\nJosé;1', 'latin1')],
    ['utf-8', Buffer.from(`Nome;Número\nJosé;1${'\n'.repeat(120_000)}`)],
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
  it('is read as Turkish if it has letters of Turkish only', async () => {
    const text = Buffer.from('\xdeehir;\xddsim;Telefon\n\xddzmir;I\xfe\xfdl;1', 'latin1')
    expect(await csv(text)).toMatchObject({
      encoding: 'windows-1254',
      rows: [{ cells: ['Şehir', 'İsim', 'Telefon'] }, { cells: ['İzmir', 'Işıl', '1'] }],
    })
    expect(guessFields(['Şehir', 'İsim', 'Telefon'], [])).toEqual(['', 'name', 'number'])
  })
  it('is read whole to know its encoding, and one wrong row does not change that of the others', async () => {
    const plain = 'Ana Lima;1\n'.repeat(12_000)
    const late = await csv(`Nome;Número\n${plain}Conceição Ávila;2\n`.replace('Número', 'Numero'))
    expect([late.encoding, late.rows.at(-1)!.cells]).toEqual(['utf-8', ['Conceição Ávila', '2']])
    const old = await csv(Buffer.from(`Nome;Numero\n${plain}Conceição Ávila;2\n`, 'latin1'))
    expect([old.encoding, old.rows.at(-1)!.cells]).toEqual(['windows-1252', ['Conceição Ávila', '2']])
    const row = (name: string, encoding: BufferEncoding) => Buffer.from(`${name};2\n`, encoding)
    const mixed = await csv(Buffer.concat([row('Nome', 'utf8'), row('Conceição', 'utf8'), row('João', 'latin1'), row('Inês', 'utf8')]))
    expect([mixed.encoding, mixed.rows.map(({ cells }) => cells[0])]).toEqual(['utf-8', ['Nome', 'Conceição', 'Jo\ufffdo', 'Inês']])
  })
  it('counts records and not lines, whichever ends the lines have', async () => {
    const rows = async (text: string) => (await csv(text)).rows.map(({ cells }) => cells)
    const content = ['Melo, Caio', '11985550201']
    for (const end of ['\n', '\r\n', '\r']) {
      expect(await rows(['\ufeffNome;Número', '"Melo, Caio";11985550201', ''].join(end))).toEqual([['Nome', 'Número'], content])
      expect(await rows(['sep=;', 'Nome;Número', '"Melo, Caio";11985550201'].join(end))).toEqual([['Nome', 'Número'], content])
    }
    expect(await rows('Nome;Número\nAna, Bia;11985550202')).toEqual([
      ['Nome', 'Número'],
      ['Ana, Bia', '11985550202'],
    ])
    expect(await rows('Nome,Número,Rua\nAna,1,"Rua A, 5"')).toEqual([
      ['Nome', 'Número', 'Rua'],
      ['Ana', '1', 'Rua A, 5'],
    ])
    expect(await rows('Nome;Nota\nAna;"linha 1\nlinha 2 ""ok"""\n')).toEqual([
      ['Nome', 'Nota'],
      ['Ana', 'linha 1\nlinha 2 "ok"'],
    ])
  })
  it.each([';', ',', '\t', '|'])('is divided by %j', async (separator) => {
    const text = `Nome${separator}Número\n"Silva${separator} Ana"${separator}1`
    expect(await csv(text)).toMatchObject({ separator, rows: [{}, { cells: [`Silva${separator} Ana`, '1'] }] })
  })
  it('in Turkish is read as windows-1254, and Portuguese is not', async () => {
    const turkish = Buffer.from('\xdeehir;\xddsim;Telefon\n\xddzmir;I\xfe\xfdk \xd6zg\xfcr;1', 'latin1')
    expect(await csv(turkish)).toMatchObject({
      encoding: 'windows-1254',
      rows: [{ cells: ['Şehir', 'İsim', 'Telefon'] }, { cells: ['İzmir', 'Işık Özgür', '1'] }],
    })
    const portuguese = Buffer.from('Nome;Número\nConceição Ávila;1\nJosé Þór;2', 'latin1')
    expect(await csv(portuguese)).toMatchObject({ encoding: 'windows-1252', rows: [{}, { cells: ['Conceição Ávila', '1'] }, {}] })
  })
  it.each([
    ['macintosh', [0x8d, 0x8b, 0xe7, 0x8e, 0x9c, 0x92]],
    ['ibm850', [0x87, 0xc6, 0xb5, 0x82, 0xa3, 0xa1]],
    ['windows-1252', [0xe7, 0xe3, 0xc1, 0xe9, 0xfa, 0xed]],
  ])('of another system is read as %s', async (encoding, bytes) => {
    const text = 'Nome;Número\nConceição Ávila;1\nJosé;2\nLuís;3'
    const byteOf = new Map(['ç', 'ã', 'Á', 'é', 'ú', 'í'].map((letter, at) => [letter, bytes[at]!]))
    const content = Buffer.from(Array.from(text, (one) => byteOf.get(one) ?? one.charCodeAt(0)))
    const rows = [
      ['Nome', 'Número'],
      ['Conceição Ávila', '1'],
      ['José', '2'],
      ['Luís', '3'],
    ]
    expect(await csv(content)).toMatchObject({ encoding, rows: rows.map((cells) => ({ cells })) })
  })
  it('with capitals is read as MS-DOS, and one with signs of Windows is not', async () => {
    const capitals = Buffer.from('NOME;N\xe9MERO\nJO\xc7O DA CONCEI\x80\xc7O;1\nJOS\x90;2', 'latin1')
    expect(await csv(capitals)).toMatchObject({
      encoding: 'ibm850',
      rows: [{ cells: ['NOME', 'NÚMERO'] }, { cells: ['JOÃO DA CONCEIÇÃO', '1'] }, {}],
    })
    const signs = Buffer.from('Nome;Nota\nD\x92Avila;\x93um\x94 \x96 dois\x85\nAna\xa0Lima;n\xba 5 \x80', 'latin1')
    expect(await csv(signs)).toMatchObject({ encoding: 'windows-1252', rows: [{}, { cells: ['D’Avila', '“um” – dois…'] }, {}] })
    const german = Buffer.from('Name;Ort\nJ\xe4ger;K\xf6ln\nGro\xdfe;M\xfcnchen', 'latin1')
    expect(await csv(german)).toMatchObject({ encoding: 'windows-1252' })
  })
  it('in UTF-8 stays UTF-8 when one row is not, and shows which', async () => {
    const rows = [Buffer.from('Nome;Número\nJosé;1\n'), Buffer.from('Concei\xe7\xe3o;2\n', 'latin1'), Buffer.from('Ávila;3\n')]
    expect(await csv(Buffer.concat(rows))).toMatchObject({
      encoding: 'utf-8',
      rows: [{}, { cells: ['José', '1'] }, { cells: ['Concei\ufffd\ufffdo', '2'] }, { cells: ['Ávila', '3'] }],
    })
  })
  it('names its separator in its first line, and ends lines by CR alone', async () => {
    expect(await csv('sep=|\rNome|Número\r"Melo; Caio"|1\r')).toEqual({
      ...{ encoding: 'utf-8', separator: '|' },
      rows: [
        { row: 2, cells: ['Nome', 'Número'] },
        { row: 3, cells: ['Melo; Caio', '1'] },
      ],
    })
    expect(await csv('Nome;Número\nAna, Bia;11985550202')).toMatchObject({ separator: ';' })
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
    await expect(csv(Array.from({ length: 251 }, () => 'x').join(','))).rejects.toMatchObject({ code: 'ERR_IMPORT_COLUMNS' })
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
  it('gives whole numbers, the values of formulas, and nothing for their errors', async () => {
    const formula = (result: unknown) => ({ formula: 'B1', result })
    const cells = [5511985550301, 11985550302, '011985550303', formula(11985550305), formula('=1'), formula({ error: '#N/A' })]
    const [, row] = await xlsx(await workbook([['x'], cells]))
    expect(row!.cells).toEqual(['5511985550301', '11985550302', '011985550303', '11985550305', '=1'])
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
  it('with notes are an extra field, except in an export of this product', () => {
    const own = ['Nome', 'Número', 'E-mail', 'Tags', 'Canal', 'Criado', 'Extra: CEP', 'Notas']
    expect(guessFields(own, [])).toEqual(['name', 'number', 'email', 'tags', '', '', 'extra', ''])
    expect(guessFields(['Nome', 'Número', 'Canal', 'Notas'], [])).toEqual(['name', 'number', '', 'extra'])
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
