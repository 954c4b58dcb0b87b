import { describe, expect, it } from 'vitest'
import { excerpt } from '#domain/message/rules.ts'
import { computedMs, longestTurnMs } from '#tests/support/watchdog.ts'

describe('an excerpt', () => {
  it('shows the original text of the match, ignoring accents and capitals', () => {
    expect(excerpt('A Instalação é amanhã', 'INSTALACAO')).toEqual({ before: 'A ', hit: 'Instalação', after: ' é amanhã' })
    expect(excerpt('cafe\u0301 quente', 'café')).toEqual({ before: '', hit: 'cafe\u0301', after: ' quente' })
    expect(excerpt('ação', 'çã')).toEqual({ before: 'a', hit: 'çã', after: 'o' })
  })
  it('contains a few words around the match, on one line', () => {
    const long = `${'a'.repeat(200)}\n\nfrete ${'b'.repeat(200)}`
    expect(excerpt(long, 'frete')).toEqual({ before: `…${'a'.repeat(58)} `, hit: 'frete', after: ` ${'b'.repeat(59)}…` })
  })
  it('does not cut a character in half', () => {
    const { before, after } = excerpt(`${'😀'.repeat(50)}xfretey${'😀'.repeat(50)}`, 'frete')!
    expect([before.isWellFormed(), after.isWellFormed()]).toEqual([true, true])
  })
  it('is null without a match', () => {
    expect(excerpt('Bom dia', 'noite')).toBeNull()
    expect(excerpt('Bom dia', '  ')).toBeNull()
  })
  it('of a page of very long messages is computed in one turn of the event loop', () => {
    const texts = ['a'.repeat(65_000), 'áé ção привет '.repeat(4600)].map((text) => `${text} Fim`)
    expect(computedMs(() => texts.flatMap((text) => Array.from({ length: 10 }, () => excerpt(text, 'fim'))))).toBeLessThan(longestTurnMs)
  })
})
