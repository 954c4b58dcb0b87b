import { hourSeconds } from '#domain/duration/rules.ts'
import type { Language } from '#web/i18n.ts'

/** A duration from seconds: 29 h 15 min, 5 min 20 s, 40 s. A dash: nothing was measured (A-COUNT-13). */
export function duration(seconds: number | null, language: Language): string {
  if (seconds === null) return '–'
  const all = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(all / hourSeconds), Math.floor((all % hourSeconds) / 60), all % 60]
  const unit = (n: number, name: 'hour' | 'minute' | 'second') =>
    new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'short' }).format(n)
  if (hours > 0) return minutes > 0 ? `${unit(hours, 'hour')} ${unit(minutes, 'minute')}` : unit(hours, 'hour')
  if (minutes > 0) return rest > 0 ? `${unit(minutes, 'minute')} ${unit(rest, 'second')}` : unit(minutes, 'minute')
  return unit(rest, 'second')
}
export const percent = (whole: number, language: Language): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(whole / 100)
export const decimal = (n: number | null, language: Language): string =>
  n === null ? '–' : new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(n)
