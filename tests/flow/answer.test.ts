import { expect, it } from 'vitest'
import { normalizeAnswer, parseAnswer } from '#domain/flow/answer.ts'

it.each([
  ['  *Sim!*  ', 'sim'],
  ['"1."', '1'],
  ['(Não)', 'nao'],
  ['a\n\nb', 'a b'],
  ['***', ''],
])('the answer %j is normalized to %j', (text, expected) => expect(normalizeAnswer(text)).toBe(expected))

const names = ['Vendas & Orçamento', 'Suporte', 'Financeiro']
const ways = { back: 'Voltar', first: 'Menu inicial' }
it.each([
  ['*Maria:*\n1', 0],
  ['Maria:\n1', 0],
  ['*Maria Silva (loja):*\n\n 2 ', 1],
  ['*Maria:* 2', 1],
  ['*[ 1 ]* - Vendas & Orçamento', 0],
  ['[ 2 ] - Suporte', 1],
  ['1 - Vendas…', 0],
  ['1) vendas e orcamento', null],
  ['3. Financeiro', 2],
  ['\u200e1', 0],
  ['1\u200b', 0],
  ['2️⃣', 1],
  ['opção 1', 0],
  ['a opção número 2', 1],
  ['Opção três', 2],
  ['quero a 3', 2],
  ['seçenek 2', 1],
  ['option two', 1],
  ['Suporte:', 1],
  ['2 por favor', 1],
  ['2 👍', 1],
  ['👉 2', 1],
  ['2\n\nEnviado do meu iPhone', 1],
  ['*Maria*\n2', 1],
  ['Suporte 🙏', 1],
  ['Opção 2 - Suporte', 1],
  ['> 2', 1],
  ['1 - Financeiro', null],
  ['1 boleto', null],
  ['opção', null],
  ['opção 9', null],
  ['Maria:', null],
])('understands %j', (text, choice) => expect(parseAnswer(text, names, ways)).toEqual(choice === null ? null : { choice }))
it.each([
  ['*[ 0 ]* - Voltar', 'back'],
  ['opção 0', 'back'],
  ['*[ # ]* - Menu inicial', 'first'],
  ['*Maria:*\n#', 'first'],
])('the answer %j is understood as navigation (%s)', (text, way) => expect(parseAnswer(text, names, ways)).toBe(way))

it('an answer of any length is read', () => {
  expect(normalizeAnswer(`1${'*'.repeat(48_000)}`)).toBe('1')
  expect(normalizeAnswer(`${'*'.repeat(48_000)}x`)).toBe('') // nobody reads so far
})
