import { digits, isNumber } from '#domain/contact/rules.ts'
import { nameKey } from '#domain/text/rules.ts'
import { type ImportField, type Separator, separators } from './contract.ts'
import { notesColumn } from './own-export.ts'
import { fieldOfTitle, nameColumns } from './titles.ts'

/* What the columns of a table probably mean. A person confirms it. */

const isDate = (cell: string) => /^\s*(\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{4}[/.-]\d{1,2}[/.-]\d{1,2})\b/.test(cell)
const looksLike: Record<'number' | 'email' | 'name', (cell: string) => boolean> = {
  number: (cell) => isNumber(cell) && digits(cell).length >= 8 && !isDate(cell),
  email: (cell) => /^[^\s@]+@[^\s@]+$/.test(cell),
  name: (cell) => /\p{L}{2}/u.test(cell) && !cell.includes('@'),
}

export const isNumberCell = looksLike.number

/** Whether the first row of a table names its columns. */
export const hasTitles = ([first = [], second = []]: string[][]): boolean =>
  first.some((cell) => fieldOfTitle(cell) !== '') || (!first.some(looksLike.number) && second.some(looksLike.number))

/** The field of each column: by its title, otherwise by its content. `extraNames`: the extra fields that the company uses. */
export function guessFields(columns: string[], rows: string[][], extraNames: string[] = []): (ImportField | '')[] {
  const fields: (ImportField | '')[] = columns.map(() => '')
  const nameKeys = new Set(extraNames.map(nameKey))
  for (const at of nameColumns(columns)) fields[at] = 'name'
  const notes = notesColumn(columns)
  columns.forEach((title, at) => {
    const field = fieldOfTitle(title) || (nameKeys.has(nameKey(title)) ? 'extra' : '')
    if (at === notes) return
    if (field === 'extra' || (field !== '' && !fields.includes(field))) fields[at] ||= field
  })
  for (const field of ['number', 'email', 'name'] as const) {
    if (fields.includes(field)) continue
    const fitting = (at: number) => rows.filter((row) => looksLike[field](row[at] ?? '')).length
    const best = columns.map((_, at) => (fields[at] === '' ? fitting(at) : 0))
    const most = Math.max(0, ...best)
    if (most * 2 > rows.length) fields[best.indexOf(most)] = field
  }
  return fields
}

/** The separator that divides the first lines best. */
export function guessSeparator(lines: string[]): Separator {
  const score = (one: Separator) => {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(one).length - 1)
    return counts.filter((count) => count > 0 && count === counts[0]).length * 100 + Math.min(counts[0] ?? 0, 99)
  }
  return separators.toSorted((a, b) => score(b) - score(a))[0]!
}
