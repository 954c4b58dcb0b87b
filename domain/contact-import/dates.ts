import { dayMs, minuteMs } from '#domain/duration/rules.ts'

/* Dates of spreadsheets, which are numbers of days with a format. */

/** What a number format shows. */
export type Shown = { date: boolean; time: boolean }
const nothing: Shown = { date: false, time: false }
const date: Shown = { date: true, time: false }
const time: Shown = { date: false, time: true }

/** The formats that a workbook uses by number only (ECMA-376, 18.8.30); 46 is a duration. */
export function builtInFormat(id: number): Shown {
  if (id === 22) return { date: true, time: true }
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return date
  return (id >= 18 && id <= 21) || id === 32 || id === 33 || id === 45 || id === 47 ? time : nothing
}

/** What a format such as dd/mm/yyyy shows. A duration such as [h]:mm is a number. */
export function customFormat(code: string): Shown {
  if (/\[(h+|m+|s+)\]/i.test(code)) return nothing
  const letters = code.replace(/"[^"]*"|\\.|[_*].|\[[^[\]]*\]|am\/pm|a\/p/gi, '').split(';')[0]!
  const hasTime = /[hs]/i.test(letters)
  return { date: /[dy]/i.test(letters) || (/m/i.test(letters) && !hasTime), time: hasTime }
}

/** 1 March 1900. Excel counts a 29 February 1900, so that earlier days differ between programs. */
const firstSerial = 61
const lastSerial = 2_958_465
const daysBefore1904 = 1462
const serialZero = Date.UTC(1899, 11, 30)
const two = (n: number) => String(n).padStart(2, '0')

/** The day as the product reads it: the day before the month. */
function dayText(at: Date, language: string): string {
  const parts = [two(at.getUTCDate()), two(at.getUTCMonth() + 1), String(at.getUTCFullYear())]
  return parts.join(language === 'tr' ? '.' : '/')
}

const clockText = (at: Date): string => `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`
/** A date with its time unless that is midnight; a time alone has a day before 1900. */
export function dateText(at: Date, language: string): string {
  if (at.getUTCFullYear() < 1900) return clockText(at)
  return at.getTime() % dayMs === 0 ? dayText(at, language) : `${dayText(at, language)} ${clockText(at)}`
}

/** The text that a cell shows for its number; null if it shows no date. `is1904`: the workbook counts from 1904. */
export function serialText(serial: number, shown: Shown, { is1904, language }: { is1904: boolean; language: string }): string | null {
  const days = is1904 ? serial + daysBefore1904 : serial
  const at = new Date(serialZero + (shown.time ? Math.round((days * dayMs) / minuteMs) * minuteMs : Math.floor(days) * dayMs))
  if (shown.time && !shown.date) return serial >= 0 && serial < 1 ? clockText(at) : null
  if (!shown.date || days < firstSerial || days > lastSerial + 1) return null
  return shown.time ? `${dayText(at, language)} ${clockText(at)}` : dayText(at, language)
}
