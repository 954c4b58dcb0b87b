import type { Language } from '#web/i18n.ts'
import { calendarDay } from '#web/ui/moment.ts'

/** A period with one open end or none, in the date format of the language. */
export const periodName = (from: string | undefined, to: string | undefined, language: Language): string =>
  [from, to].map((day) => (day === undefined ? '…' : calendarDay(day, language))).join(' – ')
