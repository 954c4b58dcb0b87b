import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { soughtBy } from '#app/data-request/places.ts'
import { createPersonEraser, createPersonMatcher } from '#domain/data-request/rules.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* How the person is found in texts of other people, in this program and in Postgres (A-ERASE-02, A-ERASE-05). */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const personWith = (known: { number?: string; names?: string[]; emails?: string[] }) => ({
  ...{ name: '', number: '', contacts: [1], names: [], emails: [], ...known },
  ids: known.number === undefined ? [] : [known.number],
})
type Person = ReturnType<typeof personWith>
/** The texts that are found: the program and Postgres must agree. */
async function foundIn(person: Person, texts: string[], by: 'names' | 'containsName' = 'names'): Promise<string[]> {
  const of = soughtBy(1, [1], person)
  const column = sql.ref('t')
  const rows = sql<{ t: string }>`select t from unnest(${texts}::text[]) with ordinality as w(t, n) where ${of[by](column)} order by n`
  const found = (await rows.execute(app.db)).rows.map(({ t }) => t)
  const erase = createPersonEraser(person)
  const [isNamed, changes] = [createPersonMatcher(person), (text: string) => erase(text) !== text]
  expect(texts.filter(by === 'names' ? isNamed : changes)).toEqual(found)
  return found
}

const numbers: { number: string; found: string[]; other: string[] }[] = [
  {
    number: '905321117701',
    found: [
      ...['0532 111 77 01', '532 111 77 01', '05321117701', '5321117701', '+90 532 111 77 01', '905321117701', '0090 532 111 77 01'],
      ...['+90 (0) 532 111-77-01', '(0532) 111.77.01', '0532/1117701', '0 532 1 1 1 7 7 0 1', 'tel:+905321117701', '+90(532)1117701'],
      ...[
        'Ara: 0532\u00a0111\u00a077\u00a001!',
        '905321117701@s.whatsapp.net',
        '011 90 532 111 77 01',
        '2) 0532 111 77 01',
        '0532\u2011111\u201177\u201101',
      ],
    ],
    other: [
      ...['111 77 01', '7701', '0532 111', '0532 111 77 02', '+55 53 2111-7701', '0055 (53) 2111 7701', '+15321117701', '905321117701234'],
      '1234905321117701',
    ],
  },
  {
    number: '5511985550301',
    found: [
      ...[
        '11 98555-0301',
        '(11) 98555 0301',
        '011 98555-0301',
        '0 15 11 98555-0301',
        '01511985550301',
        '+55 11 98555-0301',
        '5511985550301',
      ],
      ...['11 8555-0301', '+55 (11) 8555-0301', '551185550301'], // without the ninth digit
    ],
    other: ['98555-0301', '8555-0301', '21 98555-0301', '+54 11 98555-0301'],
  },
  { number: '551132550301', found: ['(11) 3255-0301', '01132550301', '+55 11 3255 0301'], other: ['3255-0301', '11 93255-0301'] },
  { number: '447911123456', found: ['07911 123456', '7911123456', '+44 (0)7911 123 456'], other: ['123456', '17911 123456'] },
  { number: '493012345678', found: ['030/12345678', '030 1234 5678', '+49 30 12345678'], other: ['12345678'] },
  { number: '79161234567', found: ['8 (916) 123-45-67', '89161234567', '9161234567', '+7 916 123 45 67'], other: ['123-45-67'] },
  { number: '36201234567', found: ['06 20 123 4567', '06201234567', '+36 20 123 4567'], other: ['123 4567'] },
  { number: '5491123456789', found: ['011 15-2345-6789', '11 2345-6789', '+54 9 11 2345-6789', '+54 11 2345 6789'], other: ['2345-6789'] },
  { number: '5215512345678', found: ['55 1234 5678', '+52 55 1234 5678', '+52 1 55 1234 5678', '5215512345678'], other: ['1234 5678'] },
  { number: '393331234567', found: ['333 1234567', '+39 333 123 4567'], other: ['1234567'] },
  { number: '14155552671', found: ['(415) 555-2671', '1-415-555-2671', '+1 415 555 2671'], other: ['555-2671'] },
  { number: '3545812345', found: ['+354 581 2345', '00354 5812345', '3545812345'], other: ['581 2345', '0581 2345'] }, // seven digits occur by chance
  { number: '123456789012345', found: ['123456789012345', 'lid 123456789012345@lid'], other: ['789012345', '3456789012345'] },
]
it.each(numbers)('finds $number as it is written in its country and abroad, and no other number', async ({ number, found, other }) => {
  expect(await foundIn(personWith({ number }), [...found, ...other])).toEqual(found)
})

it('finds a name and an address in any case and with any accents, also with the Turkish İ and ı', async () => {
  const names = ['İpek Şahin', 'Işıl Çınar', 'José  da Conceição']
  const texts = [
    ...['İPEK ŞAHİN', 'ipek şahin', 'Ipek Sahin', 'İpek  Şahin aradı', 'IŞIL ÇINAR', 'ışıl çınar', 'isil cinar.pdf'],
    ...['JOSÉ DA CONCEIÇÃO', 'jose da conceicao', 'Jose\u0301 da Conceic\u0327a\u0303o'],
  ]
  expect(await foundIn(personWith({ names }), [...texts, 'İpek', 'Şahin İpek', 'José Conceição'], 'containsName')).toEqual(texts)
  const person = personWith({ emails: ['İpek.S@Posta.test', ' '] })
  const found = ['ipek.s@posta.test', 'IPEK.S@POSTA.TEST', '<İpek.s@posta.test>', '_ipek.s@posta.test_', 'é ipek.s@posta.test.']
  expect(await foundIn(person, [...found, 'ipek@posta.test', 'ipek.s'])).toEqual(found)
})

it('does not find the name or the address of another person that contains theirs', async () => {
  const person = personWith({ names: ['Ana Lima (mãe)'], emails: ['ana@posta.com'] })
  const addresses = ['joana@posta.com', 'x.ana@posta.com', 'x_ana@posta.com', 'x-ana@posta.com', 'ana@posta.com.br', 'ana@posta.company']
  expect(await foundIn(person, [...addresses, 'ana@posta.com'])).toEqual(['ana@posta.com'])
  expect(await foundIn(person, ['Joana Lima (mãe)', 'João, Ana Lima (mae)'], 'containsName')).toEqual(['João, Ana Lima (mae)'])
})

it('erases the person from a text, and keeps the rest of it', () => {
  const erase = createPersonEraser(personWith({ number: '905321117701', names: ['İpek Şahin'], emails: ['ipek.s@posta.test'] }))
  expect(erase('İndirim: İPEK  ŞAHİN (ipek.s@posta.test), tel. +90 (532) 111 77 01. Işık')).toBe('İndirim: ⌫ (⌫), tel. ⌫. Işık')
  expect(erase('I\u0307pek S\u0327ahin\u0307x')).toBe('⌫x')
  expect(erase('(0532) 111 77 01 / 0532 111 77 02')).toBe('⌫ / 0532 111 77 02')
  expect(erase('yipek.s@posta.test Nipek Şahin')).toBe('yipek.s@posta.test Nipek Şahin')
})
