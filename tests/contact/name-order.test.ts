import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CustomerLanguage } from '#domain/flow/texts.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { compareNames, sortNamesIn } from '#web/name-order.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const inLanguage = async (value: string) => expect((await app.as('admin')('PUT', '/settings/customerLanguage', { value })).status).toBe(200)
const listed = async (path: string, field: string, names: string[]) => {
  const page = async (n: number) => (await app.as('admin')('GET', `${path}?pageNumber=${n}`)).body[field]
  const rows: { name: string }[] = field === '' ? (await app.as('admin')('GET', path)).body : [await page(1), await page(2)].flat()
  return rows.map(({ name }) => name).filter((name) => names.includes(name))
}

/** The letters of each alphabet in its own order; each would be wrong by code points. */
const alphabets = {
  'pt-BR': ['2ª via', '10ª via', 'Água', 'alberto', 'Álvaro', 'anita', 'élio', 'Fila 02', 'Fila 2', 'Fila 10', 'Óscar', 'Zélia'],
  es: ['Nuria', 'nylon', 'Ñandú', 'ñoño', 'Otto', 'Ruta 9 B', 'Ruta 10 A'],
  tr: ['Can', 'cuma', 'Çağrı', 'Isparta', 'ışık', 'İzmir', 'Kuyruk 3', 'Kuyruk 20', 'ömer', 'şube 1.9', 'şube 1.10'],
}

it.each(Object.entries(alphabets))('names are sorted in the order of %s, in every list and in the browser', async (language, names) => {
  for (const [i, name] of [...names].reverse().entries()) {
    const number = `55119${language.length}${String(1_000_000 + i * 7 + names.length)}`
    expect((await app.as('admin')('POST', '/contacts', { name, number })).status).toBe(200)
    const email = `${language}${i}@casa.test`
    expect((await app.as('admin')('POST', '/users', { name, email })).status).toBe(200)
    expect((await app.as('admin')('POST', '/tags', { name: `${name} tag`, color: '#123456', kanban: 0 })).status).toBe(200)
  }
  sortNamesIn(language as CustomerLanguage)
  expect([...names].reverse().sort(compareNames)).toEqual(names)
  await inLanguage(language)
  await expect.poll(() => listed('/contacts', 'contacts', names)).toEqual(names) // every process learns of a setting a little later
  expect(await listed('/users/list', '', names)).toEqual(names)
  expect(await listed('/ticket-history/people', '', names)).toEqual(names)
  const tags = names.map((name) => `${name} tag`)
  expect(await listed('/tags/list', '', tags)).toEqual(tags)
})

it('a name with accents is found in composed and decomposed letters, of contacts and of tags', async () => {
  const words = ['coração', 'forêt', 'Größe', 'İzmir', 'Ñandú']
  const plain = ['coracao', 'foret', 'grosse', 'izmir', 'nandu']
  const ask = app.as('admin')
  for (const [n, word] of words.entries())
    for (const [m, form] of (['NFC', 'NFD'] as const).entries()) {
      const name = `${word} letra ${form}`.normalize(form)
      const number = `55119855900${n}${m}`
      expect((await ask('POST', '/contacts', { name, number })).status).toBe(200)
      expect((await ask('POST', '/tags', { name, color: '#112233', kanban: 0 })).status).toBe(200)
    }
  for (const [n, word] of words.entries())
    for (const typed of [word, word.normalize('NFD'), word.toUpperCase(), word.toLowerCase(), plain[n]!]) {
      const query = encodeURIComponent(`${typed} letra`)
      const { contacts } = (await ask('GET', `/contacts?searchParam=${query}`)).body
      const { tags } = (await ask('GET', `/tags?searchParam=${query}`)).body
      expect([typed, contacts.length, tags.length]).toEqual([typed, 2, 2])
    }
})
