import { expect, it } from 'vitest'
import { mayBeDigitShortcode, rawShortcode, shortcodeAt } from '#web/message/composer/shortcode.ts'

const known = ['pix', '2via', '24h']
const sought = (body: string, caret = body.length) => shortcodeAt(body, caret, known)?.sought ?? null

it('a quick reply is sought at the beginning and after any blank', () => {
  expect(sought('/')).toBe('')
  expect(sought('/pi')).toBe('pi')
  expect(sought('/pix ')).toBe('pix')
  expect(sought('Segue nossa chave: /pi')).toBe('pi')
  expect(sought('Olá,\n/pi')).toBe('pi')
  expect(sought('Segue /pix obrigada', 10)).toBe('pix')
  expect(shortcodeAt('Segue /pix obrigada', 8, known)).toEqual({ from: 6, to: 10, sought: 'p' })
})

it('a shortcode that begins with a digit is sought if a quick reply has it', () => {
  expect(sought('/2via')).toBe('2via')
  expect(sought('Segue: /2')).toBe('2')
  expect(sought('Segue: /2VIA')).toBe('2VIA')
  expect(sought('/2via obrigada', 5)).toBe('2via')
  expect(sought('Segue: /3via')).toBe(null)
  expect(mayBeDigitShortcode('Segue:\n/2via')).toBe(true)
  expect(mayBeDigitShortcode('Segue: /pix em 10/11/2026')).toBe(false)
})

it.each(['12/2', 'entrega 1/2', '24/7', '10/11/2026', '10 /11/2026', 'https://site.com/2via', 'e/2via', 'em 10 /12'])(
  'the number “%s” seeks no quick reply',
  (body) => {
    expect(sought(body)).toBe(null)
    expect(rawShortcode(`${body} e pronto`, known)).toBe(null)
  },
)

it.each(['e/ou', 'https://site.com/pix', 'em 10 /12', 'ver /home/ana', 'Segue /pix obrigada', '10 / '])(
  '“%s” seeks no quick reply',
  (body) => expect(sought(body)).toBe(null),
)

it('a text with a quick reply that was not filled in is noticed', () => {
  expect(rawShortcode('Segue nossa chave: /pix', known)).toBe('/pix')
  expect(rawShortcode('/saudação, tudo bem?', known)).toBe('/saudação')
  expect(rawShortcode('Segue /pix.\nObrigada', known)).toBe('/pix')
  expect(rawShortcode('Segue /novo', known)).toBe('/novo')
  expect(rawShortcode('de 1 /2. Segue: /2Via.', known)).toBe('/2Via')
})

it.each(['e/ou', 'https://site.com/pix', 'dia 10/12', 'de 1 /2', 'Segue /2vias', 'veja /home/ana', 'site.com /', 'R$ 10 / mês'])(
  '“%s” contains no quick reply',
  (body) => expect(rawShortcode(body, known)).toBe(null),
)
