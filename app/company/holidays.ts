import type { ProposedHolidays } from '#domain/company/contract.ts'
import { dayMs, hourMs } from '#domain/duration/rules.ts'
import { refuse } from '#domain/errors.ts'

/** Names that the package has in another variety of the country's language. */
const renamed: Partial<Record<string, Partial<Record<string, string>>>> = {
  BR: { 'Corpo de Deus': 'Corpus Christi', 'Dia do trabalhador': 'Dia do Trabalhador' },
}

type Asked = { year: number; language: string; country?: string; state?: string }

/**
 * The holidays of a country and state (A-HOURS-HOLIDAY). A holiday that begins or ends during a day counts
 * only its whole days.
 */
export async function proposeHolidays({ year, language, state, ...asked }: Asked, timeZone: string): Promise<ProposedHolidays> {
  const { default: Holidays } = await import('date-holidays') // the rules of all countries take a second and 40 MB, so they load on demand
  const spoken = language.slice(0, 2)
  const world = new Holidays()
  const countries = Object.keys(world.getCountries()).toSorted()
  const country = asked.country ?? countries.find((code) => zonesOf(code).includes(timeZone)) ?? 'BR'
  if (!countries.includes(country)) refuse('ERR_INVALID_INPUT', { field: 'country', rule: 'enum' })
  const states = Object.entries<string>(world.getStates(country, spoken) ?? {}).map(([code, name]) => ({ code, name }))
  if (state !== undefined && !states.some(({ code }) => code === state)) refuse('ERR_INVALID_INPUT', { field: 'state', rule: 'enum' })
  // a state's list lacks some of the country's
  const kept = [new Holidays(country), ...(state === undefined ? [] : [new Holidays(country, state)])]
  const days = new Map<string, ProposedHolidays['days'][number]>()
  for (const { type, name, date, start, end } of kept.flatMap((of) => of.getHolidays(year, spoken)))
    if (type === 'public' || type === 'bank')
      for (const day of wholeDays(date, (end.getTime() - start.getTime()) / hourMs)) {
        const known = days.get(day)
        const called = renamed[country]?.[name] ?? name
        const names = known && known.name !== called ? `${known.name} · ${called}` : called
        days.set(day, { date: day, name: names.slice(0, 100), official: known?.official === true || type === 'public' })
      }
  return { country, countries, states, days: [...days.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1)) }
}

/**
 * Parses the library's `date`: the first day, its starting time, and the hours before midnight if it begins
 * the evening before.
 */
function wholeDays(date: string, hours: number): string[] {
  const [, first, begins, eve] = /^(\S+) (\S+)(?: -(\d\d)\d\d)?$/.exec(date) ?? []
  if (!first || begins !== '00:00:00') return []
  const whole = Math.floor((hours - Number(eve ?? 0)) / 24)
  return Array.from({ length: whole }, (_, i) => new Date(Date.parse(first) + i * dayMs).toISOString().slice(0, 10))
}

const zonesOf = (country: string): string[] =>
  (new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?: () => string[] | undefined }).getTimeZones?.() ?? []
