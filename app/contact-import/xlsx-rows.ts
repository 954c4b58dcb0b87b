import path from 'node:path/posix'
import { mostColumns } from '#domain/contact-import/contract.ts'
import { type Shown, serialText } from '#domain/contact-import/dates.ts'
import { refuse } from '#domain/errors.ts'
import { megabyte } from '../http/upload-limits.ts'
import { cellFormats } from './xlsx-styles.ts'
import { attribute, plain, tags } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

/* The first sheet of a workbook, row by row. Formats other than those of dates, formulas and other sheets are skipped. */

/** `hasOpenQuote`: a quotation mark that is not closed was read as a character. */
export type FileRow = { row: number; cells: string[]; hasOpenQuote?: boolean }

const mostTexts = 48 * megabyte
const mostSheet = 128 * megabyte
const mostParts = megabyte

type Cell = { column: number; type: string; style: number; text: string }
/** How the values of a workbook become texts: those that its cells share, and dates by their formats. */
type Book = { texts: string[]; formats: Shown[]; is1904: boolean; language: string }

/** The rows, with dates as the language of a person writes them. */
export async function* xlsxRows(file: string, language: string): AsyncGenerator<FileRow> {
  const zip = await openZip(file)
  const { sheet, is1904 } = await firstSheet(zip)
  const book: Book = { texts: await sharedTexts(zip), formats: await cellFormats(zip), is1904, language }
  let cells: string[] = []
  let row = 0
  let cell: Cell = { column: -1, type: '', style: 0, text: '' }
  for await (const batch of tags(zip.text(sheet, mostSheet)))
    for (const { name, attributes, isEnd, isEmpty, before } of batch)
      if (name === 'row') {
        if (isEnd || isEmpty) {
          if (cells.some((one) => one !== undefined && one.trim() !== '')) yield { row, cells: Array.from(cells, (one) => one ?? '') }
          cells = []
        } else row = Number(attribute(attributes, 'r')) || row + 1
      } else if (name === 'c') {
        if (isEnd) put(cells, cell, book)
        else {
          const column = columnOf(attribute(attributes, 'r'), cell.column, cells)
          cell = { column, type: attribute(attributes, 't') ?? '', style: Number(attribute(attributes, 's') ?? 0), text: '' }
        }
      } else if (isEnd && (name === 'v' || name === 't')) cell.text += before
}
function columnOf(reference: string | null, previous: number, cells: string[]): number {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (!letters) return cells.length === 0 ? 0 : previous + 1
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
function put(cells: string[], cell: Cell, book: Book): void {
  const { column, type, text } = cell
  if (type === 'e') return // the error of a formula is no value
  const value =
    type === 's' ? (book.texts[Number(text)] ?? '') : type === '' || type === 'n' ? dateOf(cell, book) || numeric(text) : plain(text)
  if (value === '') return
  if (column >= mostColumns) refuse('ERR_IMPORT_COLUMNS', { limit: mostColumns })
  cells[column] = value
}
/** The text of a date; empty if the cell has none. */
function dateOf({ style, text }: Cell, { formats, ...of }: Book): string {
  const shown = formats[style]
  return shown && text.trim() !== '' ? (serialText(Number(text), shown, of) ?? '') : ''
}
/** A sheet keeps the number 5511955557070 as 5.51195555707E12. */
const numeric = (text: string): string => (text !== '' && Number.isSafeInteger(Number(text)) ? String(Number(text)) : plain(text))

async function firstSheet(zip: Zip): Promise<{ sheet: string; is1904: boolean }> {
  if (!zip.has('xl/workbook.xml')) refuse('ERR_IMPORT_FILE')
  let id: string | null = null
  let is1904 = false
  for await (const batch of tags(zip.text('xl/workbook.xml', mostParts)))
    for (const { name, attributes } of batch)
      if (name === 'workbookPr') is1904 ||= /^(1|true)$/.test(attribute(attributes, 'date1904') ?? '')
      else if (name === 'sheet' && id === null && !/hidden/i.test(attribute(attributes, 'state') ?? ''))
        id = attribute(attributes, '[\\w]+:id')
  for await (const batch of tags(zip.text('xl/_rels/workbook.xml.rels', mostParts)))
    for (const { name, attributes } of batch)
      if (name === 'Relationship' && attribute(attributes, 'Id') === id && id !== null) {
        const target = attribute(attributes, 'Target') ?? ''
        return { sheet: target.startsWith('/') ? target.slice(1) : path.join('xl', target), is1904 }
      }
  return refuse('ERR_IMPORT_FILE')
}

async function sharedTexts(zip: Zip): Promise<string[]> {
  const texts: string[] = []
  if (!zip.has('xl/sharedStrings.xml')) return texts
  let text = ''
  let isReading = false // a reading aid for Japanese is no part of the text
  for await (const batch of tags(zip.text('xl/sharedStrings.xml', mostTexts)))
    for (const { name, isEnd, isEmpty, before } of batch)
      if (name === 'rPh') isReading = !isEnd
      else if (name === 't' && isEnd && !isReading) text += before
      else if (name === 'si' && (isEnd || isEmpty)) {
        texts.push(plain(text))
        text = ''
      }
  return texts
}
