import { mostColumns, type Separator } from '#domain/contact-import/contract.ts'
import { isNumberCell } from '#domain/contact-import/table.ts'
import { refuse } from '#domain/errors.ts'
import type { FileRow } from './xlsx-rows.ts'

/* The rows of a separated text (RFC 4180). A quotation mark that is not closed is a character of its cell, so that it joins no rows. */

/** `end`: after the row, before its line end. */
type Read = { cells: string[]; end: number; hasOpenQuote: boolean }
const isLineEnd = (character: string | undefined) => character === '\n' || character === '\r'

/** The rows, counted with the empty ones, which are left out. */
export function* parsedRows(text: string, separator: Separator): Generator<FileRow> {
  let row = 0
  for (let at = 0; at < text.length; ) {
    const start = at
    const whole = readRow(text, start, separator, text.length)
    const isJoined = joinsRows(text.slice(start, whole.end), separator, row === 0)
    const { cells, end, hasOpenQuote } = isJoined ? readRow(text, start, separator, lineEndFrom(text, start)) : whole
    at = end + (text.startsWith('\r\n', end) ? 2 : 1)
    row++
    if (row === 1 && /^sep=.?$/i.test(cells[0]!)) continue
    dropBlankEnd(cells)
    if (cells.length > mostColumns) refuse('ERR_IMPORT_COLUMNS', { limit: mostColumns })
    if (cells.length > 0) yield { row, cells, ...(hasOpenQuote && { hasOpenQuote }) }
  }
}

function dropBlankEnd(cells: string[]): string[] {
  while (cells.length > 0 && cells.at(-1)!.trim() === '') cells.pop()
  return cells
}

/** Reads a row. A cell in quotation marks ends before `limit`. */
function readRow(text: string, start: number, separator: Separator, limit: number): Read {
  const cells: string[] = []
  let hasOpenQuote = false
  for (let at = start; ; at++) {
    const isQuoted = text[at] === '"'
    const close = isQuoted ? closingQuote(text, at, separator, limit) : null
    if (isQuoted && close === null) hasOpenQuote = true
    const end = cellEndFrom(text, close ?? at, separator)
    cells.push(close === null ? text.slice(at, end) : text.slice(at + 1, close).replaceAll('""', '"'))
    at = end
    if (text[at] !== separator) return { cells, end, hasOpenQuote }
  }
}

/** The mark that closes the one at `open`. Null: there is none, or other characters follow it in the cell. */
function closingQuote(text: string, open: number, separator: Separator, limit: number): number | null {
  let close = text.indexOf('"', open + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close === -1 || close >= limit) return null
  let next = close + 1
  while (text[next] === ' ') next++
  return next >= text.length || text[next] === separator || isLineEnd(text[next]) ? close : null
}

function cellEndFrom(text: string, from: number, separator: Separator): number {
  let at = from
  while (at < text.length && text[at] !== separator && !isLineEnd(text[at])) at++
  return at
}
function lineEndFrom(text: string, from: number): number {
  let at = from
  while (at < text.length && !isLineEnd(text[at])) at++
  return at
}

/** Whether a cell with line breaks joins rows: each of its lines has as many cells, and a number unless it may be the titles. */
function joinsRows(text: string, separator: Separator, isFirst: boolean): boolean {
  if (!/[\r\n]/.test(text)) return false
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== '')
  const rows = lines.map((line) => dropBlankEnd(line.split(separator)))
  const width = rows[0]!.length
  const isRow = (cells: string[], at: number) => cells.length === width && ((isFirst && at === 0) || cells.some(isNumberCell))
  return rows.length > 1 && width > 1 && rows.every(isRow)
}
