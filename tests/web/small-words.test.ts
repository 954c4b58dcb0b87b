import { afterAll, expect, it } from 'vitest'
import { amount, changeLanguage, translate, words } from '#web/i18n.ts'
import { brief, inWords } from '#web/message/bubble/in-words.ts'
import { answeredSince, type Fact } from '#web/message/thread/grouping.ts'
import { merged } from '#web/shell/sheetLines.ts'
import { anyColour, palette, sixDigits } from '#web/ui/colour.ts'
import { offsetAt } from '#web/ui/moment.ts'

afterAll(() => changeLanguage('pt-BR'))

it('counts are formatted in the language, and ids are not', () => {
  const table = words({ told: ['{n} do #{id}', '{n} of #{id}', '{n} del #{id}', '{n} #{id}'] })
  const told = (['pt-BR', 'en', 'es', 'tr'] as const).map((language) => {
    changeLanguage(language)
    return translate(table, 'told', { n: 12345, id: 12345 })
  })
  expect(told).toEqual(['12.345 do #12345', '12,345 of #12345', '12.345 del #12345', '12.345 #12345'])
  expect([999, 1234].map((n) => amount(n, 'es'))).toEqual(['999', '1.234'])
})

it('each shortcut is listed once with all its keys, below one group heading', () => {
  const run = () => {}
  expect(
    merged([
      {
        name: 'Geral',
        keys: [
          { keys: '?', label: 'Atalhos', run },
          { keys: 'mod+/', label: 'Atalhos', run },
        ],
      },
      { name: 'Conversa', keys: [{ keys: 'e', also: 'act+e', label: 'Resolver', run }] },
      {
        name: 'Geral',
        keys: [
          { keys: '[', label: 'Recolher', run },
          { keys: '?', label: 'Atalhos', run },
        ],
      },
    ]),
  ).toEqual([
    {
      name: 'Geral',
      lines: [
        { label: 'Atalhos', ways: ['?', 'mod+/'] },
        { label: 'Recolher', ways: ['['] },
      ],
    },
    { name: 'Conversa', lines: [{ label: 'Resolver', ways: ['e', 'act+e'] }] },
  ])
})

it('only a message of an agent counts as an answer, not a note or an automatic message', () => {
  const fact = (id: number, who: string): Fact => ({ id, ticketId: 1, at: '2026-11-20T12:00:00.000Z', who, theirs: who.startsWith('them') })
  const before = [fact(1, 'us 7'), fact(2, 'them Ana')]
  expect(answeredSince(before, 2)).toBe(false)
  expect(answeredSince([...before, fact(3, 'us 0'), fact(4, 'us 7 private'), fact(5, 'them Ana')], 2)).toBe(false)
  expect(answeredSince([...before, fact(3, 'us 8')], 2)).toBe(true)
})

it('a color of three digits becomes six digits for the browser’s field (R-QUEUE-02)', () =>
  expect(['#1fc', '#1fc8', '#11ffcc', '#11FFCC80'].map(sixDigits)).toEqual(['#11ffcc', '#11ffcc', '#11ffcc', '#11FFCC']))

it('a new tag gets a random color of the palette (R-TAG-02)', () => {
  const drawn = new Set(Array.from({ length: 200 }, anyColour))
  expect(drawn.size).toBeGreaterThan(1)
  expect([...drawn].filter((colour) => !palette.includes(colour))).toEqual([])
})

it('a new queue gets a color that no other queue has (R-QUEUE-02)', () => {
  const [first, ...others] = palette
  expect(anyColour(others.map((colour) => colour.toUpperCase()))).toBe(first)
  const more = anyColour(palette)
  expect(more).toMatch(/^#[0-9a-f]{6}$/)
  expect(palette).not.toContain(more)
})

const vCard = 'BEGIN:VCARD\nVERSION:3.0\nFN:Zelador Gil\nTEL;waid=5511955550000:+55 11 95555-0000\nEND:VCARD'
it.each([
  [{ mediaType: 'chat', body: '*Ana Souza:*\nBom dia', fromMe: true }, 'Bom dia', 'Bom dia'],
  [{ mediaType: 'chat', body: '*Ana Souza:*\nBom dia', fromMe: false }, '*Ana Souza:*\nBom dia', 'Bom dia'],
  [
    { mediaType: 'locationMessage', body: '| https://www.google.com/maps?q=1,2 | Praça da Sé', fromMe: false },
    'Praça da Sé\nhttps://www.google.com/maps?q=1,2',
    '📍 Praça da Sé',
  ],
  [{ mediaType: 'contactMessage', body: '', vCard, fromMe: false }, 'Zelador Gil\n+55 11 95555-0000', '👤 Zelador Gil'],
])('a message is copied as text and quoted in one line', (message, words, line) => {
  expect(inWords(message)).toBe(words)
  expect(brief(message.mediaType, message.body, 'vCard' in message ? message.vCard : null)).toBe(line)
})

it('the UTC offset of a date is the one valid at that date', () => {
  expect(['2018-12-01T12:00:00Z', '2026-12-01T12:00:00Z'].map((at) => offsetAt(at, 'pt-BR'))).toEqual(['GMT-2', 'GMT-3'])
})
