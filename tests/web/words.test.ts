import { readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { errors } from '#domain/errors.ts'
import '#web/area-errors.ts'
import { importWords } from '#web/contact-import/words.ts'
import { errorWords, failureWords } from '#web/errors.ts'
import { i18n, languages, repairLanguageTag, type Translations, translate, words } from '#web/i18n.ts'

const web = path.resolve(import.meta.dirname, '../../web')
const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /(^|[/-])words\.ts$/.test(file) && !/in-words|^dist/.test(file),
)
const tables = await Promise.all(
  files.map(async (file) =>
    Object.entries((await import(path.join(web, file))) as Record<string, Record<string, Translations>>).map(([name, table]) => ({
      name: `${file} ${name}`,
      table,
    })),
  ),
)

describe.each([...tables.flat(), { name: 'errorWords', table: errorWords }, { name: 'failureWords', table: failureWords }])(
  '$name',
  ({ table }) => {
    const rows = Object.entries(table as Record<string, Translations>)
    it('has a text in every language', () =>
      expect(rows.filter(([, row]) => row.length !== languages.length || row.some((text) => text.trim() === ''))).toEqual([]))
    it('has a singular text wherever it has a count', () => {
      const counts = ([pt]: Translations) =>
        /\{n\} (?!de |dos |em |aguardando)\p{L}{3,}/u.test(pt) && !/muito|[Nn]o máximo|Espere|registro \{n\}/.test(pt)
      expect(rows.filter(([key, row]) => counts(row) && !(`${key}One` in table) && !(key.replace(/Many$|All$/, 'One') in table))).toEqual(
        [],
      )
    })
    it('uses the same placeholders in every language', () => {
      const taken = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort((a, b) => a.localeCompare(b))
      expect(rows.filter(([, [pt, ...others]]) => others.some((text) => taken(text).join() !== taken(pt).join()))).toEqual([])
    })
  },
)

it('every error code has texts', () => {
  const codes = new Set(Object.keys(errors).map((code) => code.split('/')[0]!))
  expect(Object.keys(errorWords).sort()).toEqual([...codes].sort())
})

it('a count of one uses the singular text', () => {
  const table = words({
    found: ['{n} achados', '{n} finds', '{n} hallazgos', '{n} bulgu'],
    foundOne: ['1 achado', '1 find', '1 hallazgo', '1 bulgu'],
  })
  expect([0, 1, 2].map((n) => translate(table, 'found', { n }))).toEqual(['0 achados', '1 achado', '2 achados'])
})

it('placeholders are replaced in the current language', async () => {
  const table = words({ hello: ['Olá, {name}', 'Hello, {name}', 'Hola, {name}', 'Merhaba {name}'] })
  expect(translate(table, 'hello', { name: 'A & <B> {x}' })).toBe('Olá, A & <B> {x}')
  await i18n.changeLanguage('tr')
  expect(translate(table, 'hello', { name: 'Ana' })).toBe('Merhaba Ana')
  await i18n.changeLanguage('pt-BR')
})

it.each([
  ['en-US@posix', 'tr'],
  ['C', 'tr'],
  ['', 'tr'],
  ['es-MX', 'es-MX'],
])('the browser language %j is given to Intl as %s', (language, right) => {
  const browser = { language }
  repairLanguageTag(browser, 'tr')
  expect(browser.language).toBe(right)
  expect(() => new Intl.NumberFormat(browser.language)).not.toThrow()
})

it.each([
  ['running', { done: 264, all: 12_000 }, '264 de 12.000 linhas'],
  ['rowsOf', { from: 10_001, to: 10_050, n: 12_000 }, /10\.001.*10\.050.*12\.000/],
] as const)('counts in the text %s have separators', (key, values, text) => {
  expect(translate(importWords, key, values)).toMatch(text)
})
