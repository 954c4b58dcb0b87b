import { expect, it } from 'vitest'
import { bare } from '#domain/flow/answer.ts'

it.each([
  ['  *Sim!*  ', 'sim'],
  ['"1."', '1'],
  ['(Não)', 'nao'],
  ['a\n\nb', 'a b'],
  ['***', ''],
])('reads the answer %j as %j', (text, expected) => expect(bare(text)).toBe(expected))

it('reads an answer of any length', () => {
  expect(bare(`1${'*'.repeat(48_000)}`)).toBe('1')
  expect(bare(`${'*'.repeat(48_000)}x`)).toBe('') // nobody reads so far
})
