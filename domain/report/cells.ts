import { offset } from '#domain/zone/rules.ts'

/** The maximum length of a cell, and of a sheet without its header. */
export const longestCell = 32_767
export const rowsPerSheet = 1_048_575

/** Control characters and others that XML cannot contain. Tabs and line breaks stay. */
const forbidden = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu
const characters = new Intl.Segmenter()

/** The text as a cell shows it: without control characters, and cut before a whole character with an ellipsis as a mark. */
export function textCell(text: string): string {
  /* Excel reads _x0041_ as the letter A, unless its first underscore is written as a code itself. */
  const plain = text
    .toWellFormed()
    .replace(forbidden, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
  if (plain.length <= longestCell) return plain
  const cut = longestCell - 1
  return `${plain.slice(0, characters.segment(plain).containing(cut)!.index)}…`
}

/** A spreadsheet calculates a text that begins this way. One apostrophe in front prevents it; texts that have apostrophes there already get one more. */
const formula = /^'*\s*[=+\-@\t\r]/
/** The text with an apostrophe in front, if a spreadsheet would calculate it. */
export const neutralCell = (text: string): string => (formula.test(text) ? `'${text}` : text)
/** The text without that apostrophe. */
export const originalCell = (text: string): string => (text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text)

/** A text for a cell that is never calculated: an apostrophe of its own is doubled, because an import takes one off. */
export const doubledApostrophe = (text: string): string => (text.startsWith("'") ? neutralCell(text) : text)

/** A moment as the date of a cell, which has no zone: the local time. */
export function dateCell(zone: string, at: string): Date {
  const moment = Math.floor(Date.parse(at) / 1000) * 1000
  return new Date(moment + offset(zone, moment))
}

/** A duration as a cell counts it: in days. */
export const durationCell = (seconds: number | null): number | null => (seconds === null ? null : seconds / 86_400)
