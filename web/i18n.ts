import i18next from 'i18next'
import { useAtomValue } from 'jotai'
import { useCallback } from 'react'
import { initReactI18next, useTranslation } from 'react-i18next'
import { languages } from '#domain/user/rules.ts'
import { zoneAtom } from './ui/zone.ts'

export { languages }
export type Language = (typeof languages)[number]
export const languageNames: Record<Language, string> = { 'pt-BR': 'Português', en: 'English', es: 'Español', tr: 'Türkçe' }

/** One row per text, one column per language: a missing translation does not compile. */
export type Translations = readonly [pt: string, en: string, es: string, tr: string]
export type Words<K extends string = string> = Record<K, Translations>
export type Values = Record<string, string | number>
export type Translate<K extends string> = (key: K, values?: Values) => string

/** Storage key of the chosen language (R-LAYOUT-09). */
export const languageStorageKey = 'i18nextLng'
const known = (language: string | null): Language => languages.find((one) => one === language) ?? 'pt-BR'
const stored = () =>
  typeof localStorage === 'undefined' ? null : (localStorage.getItem(languageStorageKey) ?? browserLanguage(navigator.languages))
/** The first language of the browser that we support, whatever its country. */
export const browserLanguage = (wanted: readonly string[]): Language | null =>
  wanted.map((one) => languages.find((ours) => ours.split('-')[0] === one.toLowerCase().split('-')[0])).find((one) => one !== undefined) ??
  null

export const i18n = i18next.createInstance()
void i18n.use(initReactI18next).init({
  lng: known(stored()),
  fallbackLng: 'pt-BR',
  supportedLngs: [...languages],
  resources: {},
  ns: [],
  keySeparator: false,
  nsSeparator: false,
  contextSeparator: '\u0000',
  pluralSeparator: '\u0000',
  initAsync: false,
  returnEmptyString: false,
  interpolation: { prefix: '{', suffix: '}', escapeValue: false, skipOnVariables: true },
  react: { useSuspense: false },
})

const namespaces = new WeakMap<Words, string>()
let namespaceCount = 0
/** Registers a table as an i18next namespace in each language, together with the module that uses it. */
export function words<K extends string>(table: Words<K>): Words<K> {
  namespaces.set(table, `words-${namespaceCount++}`)
  return fill(table, table)
}
/** Adds rows to a table. */
export function fill<K extends string>(table: Words<K>, rows: Words<K>): Words<K> {
  languages.forEach((language, column) => {
    const said = Object.fromEntries(Object.entries<Translations>(rows).map(([key, row]) => [key, row[column]]))
    i18n.addResourceBundle(language, namespaces.get(table)!, said, true, true)
  })
  return Object.assign(table, rows)
}

/** Formats a count; ids and years are not counts. */
export const amount = (n: number, inLanguage: string): string => new Intl.NumberFormat(inLanguage, { useGrouping: 'always' }).format(n)
/** Formats an amount in the currency of the installation. */
export const money = (n: number, inLanguage: string): string =>
  new Intl.NumberFormat(inLanguage, { style: 'currency', currency: 'BRL' }).format(n)
/** The names of values that are counts. */
const counts = new Set(
  'n total all done from to limit most min max days pages people before created renewed updated unchanged ignored leftOut'.split(' '),
)
const formatCounts = (values: Values, inLanguage: string): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' && counts.has(name) ? amount(value, inLanguage) : value,
    ]),
  )

type I18nextTranslate = (key: string, options: Record<string, unknown>) => string

/** For n = 1 uses the row with the suffix `One` if there is one: `holdsOne` for `holds`. */
const pluralKey = (table: Words, key: string, { n }: Values) => (n === 1 && `${key}One` in table ? `${key}One` : key)

export function useWords<K extends string>(table: Words<K>): Translate<K> {
  const { t, i18n: now } = useTranslation(namespaces.get(table)!, { i18n })
  return useCallback(
    (key, values = {}) => (t as unknown as I18nextTranslate)(pluralKey(table, key, values), formatCounts(values, now.language)),
    [t, table, now.language],
  )
}

/** Translates outside a component. */
export const translate = <K extends string>(table: Words<K>, key: K, values: Values = {}): string =>
  (i18n.t as unknown as I18nextTranslate)(pluralKey(table, key, values), {
    ns: namespaces.get(table),
    ...formatCounts(values, i18n.language),
  })

export const language = (): Language => known(i18n.language)
/** Components that show times use this, so they also render again when the company's time zone changes. */
export function useLanguage(): Language {
  useAtomValue(zoneAtom)
  return known(useTranslation(undefined, { i18n }).i18n.language)
}

/** The name of a country by its ISO 3166 code. */
export const countryName = (country: string): string => new Intl.DisplayNames(language(), { type: 'region' }).of(country) ?? country

/**
 * Replaces a language of the browser that Intl rejects, such as en-US@posix from the locale of a system. Packages pass it
 * to Intl when they load.
 */
export function repairLanguageTag(browser: { language: string }, replacement: string): void {
  try {
    Intl.getCanonicalLocales(browser.language)
  } catch {
    Object.defineProperty(browser, 'language', { value: replacement, configurable: true })
  }
}
if (typeof navigator !== 'undefined') repairLanguageTag(navigator, language())

if (typeof document !== 'undefined') document.documentElement.lang = language()

export function changeLanguage(to: string): void {
  const chosen = known(to)
  if (typeof document !== 'undefined') document.documentElement.lang = chosen
  if (chosen !== i18n.language) void i18n.changeLanguage(chosen)
}
