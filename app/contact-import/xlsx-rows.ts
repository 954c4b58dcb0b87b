import path from 'node:path/posix'
import { mostColumns } from '#domain/contact-import/contract.ts'
import { refuse } from '#domain/errors.ts'
import { megabyte } from '../http/upload-limits.ts'
import { openZip, type Zip } from './zip.ts'

/* The first sheet of a workbook, row by row. Formats, formulas and other sheets are skipped. */

/** `hasOpenQuote`: a quotation mark that is not closed was read as a character. */
export type FileRow = { row: number; cells: string[]; hasOpenQuote?: boolean }
type Tag = { name: string; attributes: string; isEnd: boolean; isEmpty: boolean; before: string }

const mostTexts = 48 * megabyte
const mostSheet = 128 * megabyte
/** Enough for 100,000 rows with ten cells. A file of nothing but tags would keep the processor busy for minutes. */
const mostTags = 5_000_000
const mostParts = megabyte
const longestTag = megabyte

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const character = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '')
/** Excel also writes control characters as _x000D_. */
const plain = (text: string) =>
  text
    .replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (_, hex?: string, decimal?: string, name?: string) =>
      name ? (named[name] ?? '') : character(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    .replace(/_x([\dA-Fa-f]{4})_/g, (_, hex: string) => character(Number.parseInt(hex, 16)))
const attribute = (attributes: string, name: string) => {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return found ? plain(found[1] ?? found[2] ?? '') : null
}

/** The tags of XML with the text before each, without building a tree; those of one chunk together. */
async function* tags(text: AsyncIterable<string>): AsyncGenerator<Tag[]> {
  let rest = ''
  let count = 0
  for await (const chunk of text) {
    rest += chunk
    const found: Tag[] = []
    let at = 0
    for (;;) {
      const open = rest.indexOf('<', at)
      const close = open === -1 ? -1 : rest.indexOf('>', open)
      if (close === -1) break
      const inside = rest.slice(open + 1, close)
      const name = /^\/?(?:[\w.-]+:)?([\w.-]+)/.exec(inside)?.[1] ?? ''
      const [isEnd, isEmpty] = [inside.startsWith('/'), inside.endsWith('/')]
      found.push({ name, attributes: inside, isEnd, isEmpty, before: rest.slice(at, open) })
      at = close + 1
    }
    yield found
    count += found.length
    if (count > mostTags) refuse('ERR_TOO_LARGE')
    rest = rest.slice(at)
    if (rest.length > longestTag) refuse('ERR_IMPORT_FILE')
  }
}

export async function* xlsxRows(file: string): AsyncGenerator<FileRow> {
  const zip = await openZip(file)
  const sheet = await firstSheet(zip)
  const texts = await sharedTexts(zip)
  let cells: string[] = []
  let row = 0
  let cell = { column: -1, type: '', text: '' }
  for await (const batch of tags(zip.text(sheet, mostSheet)))
    for (const { name, attributes, isEnd, isEmpty, before } of batch)
      if (name === 'row') {
        if (isEnd || isEmpty) {
          if (cells.some((one) => one !== undefined && one.trim() !== '')) yield { row, cells: Array.from(cells, (one) => one ?? '') }
          cells = []
        } else row = Number(attribute(attributes, 'r')) || row + 1
      } else if (name === 'c') {
        if (isEnd) put(cells, cell, texts)
        else cell = { column: columnOf(attribute(attributes, 'r'), cell.column, cells), type: attribute(attributes, 't') ?? '', text: '' }
      } else if (isEnd && (name === 'v' || name === 't')) cell.text += before
}
function columnOf(reference: string | null, previous: number, cells: string[]): number {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (!letters) return cells.length === 0 ? 0 : previous + 1
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
function put(cells: string[], { column, type, text }: { column: number; type: string; text: string }, texts: string[]): void {
  if (type === 'e') return // the error of a formula is no value
  const value = type === 's' ? (texts[Number(text)] ?? '') : type === '' || type === 'n' ? numeric(text) : plain(text)
  if (value === '') return
  if (column >= mostColumns) refuse('ERR_IMPORT_COLUMNS', { limit: mostColumns })
  cells[column] = value
}
/** A sheet keeps the number 5511955557070 as 5.51195555707E12. */
const numeric = (text: string): string => (text !== '' && Number.isSafeInteger(Number(text)) ? String(Number(text)) : plain(text))

async function firstSheet(zip: Zip): Promise<string> {
  if (!zip.has('xl/workbook.xml')) refuse('ERR_IMPORT_FILE')
  let id: string | null = null
  for await (const batch of tags(zip.text('xl/workbook.xml', mostParts)))
    for (const { name, attributes } of batch)
      if (name === 'sheet' && id === null && !/hidden/i.test(attribute(attributes, 'state') ?? '')) id = attribute(attributes, '[\\w]+:id')
  for await (const batch of tags(zip.text('xl/_rels/workbook.xml.rels', mostParts)))
    for (const { name, attributes } of batch)
      if (name === 'Relationship' && attribute(attributes, 'Id') === id && id !== null) {
        const target = attribute(attributes, 'Target') ?? ''
        return target.startsWith('/') ? target.slice(1) : path.join('xl', target)
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
