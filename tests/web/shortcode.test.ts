import { expect, it } from 'vitest'
import { rawShortcode, shortcodeAt } from '#web/message/composer/shortcode.ts'

const sought = (body: string, caret = body.length) => shortcodeAt(body, caret)?.sought ?? null

it('a quick reply is sought at the beginning and after any blank', () => {
  expect(sought('/')).toBe('')
  expect(sought('/pi')).toBe('pi')
  expect(sought('/pix ')).toBe('pix')
  expect(sought('Segue nossa chave: /pi')).toBe('pi')
  expect(sought('Olá,\n/pi')).toBe('pi')
  expect(sought('Segue /pix obrigada', 10)).toBe('pix')
  expect(shortcodeAt('Segue /pix obrigada', 8)).toEqual({ from: 6, to: 10, sought: 'p' })
})

it.each(['e/ou', 'https://site.com/pix', 'em 10 /12', 'ver /home/ana', 'Segue /pix obrigada', '10 / '])(
  '“%s” seeks no quick reply',
  (body) => expect(sought(body)).toBe(null),
)

it('a text with a quick reply that was not filled in is noticed', () => {
  expect(rawShortcode('Segue nossa chave: /pix')).toBe('/pix')
  expect(rawShortcode('/saudação, tudo bem?')).toBe('/saudação')
  expect(rawShortcode('Segue /pix.\nObrigada')).toBe('/pix')
})

it.each(['e/ou', 'https://site.com/pix', 'dia 10/12', 'de 1 /2', 'veja /home/ana', 'site.com /', 'R$ 10 / mês'])(
  '“%s” contains no quick reply',
  (body) => expect(rawShortcode(body)).toBe(null),
)
