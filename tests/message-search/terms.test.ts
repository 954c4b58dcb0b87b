import { describe, expect, it } from 'vitest'
import { areSearchable, searchableContent, searchTerms, snippet } from '#domain/message-search/rules.ts'

const marked = (text: string, ...terms: string[]) =>
  snippet(text, terms)
    ?.map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join('') ?? null

describe('the terms of a search', () => {
  it('are its words and its phrases in quotes, without accents', () => {
    expect(searchTerms('Ação "Bom  Dia" ok')).toEqual(['acao', 'bom dia', 'ok'])
    expect(searchTerms('“nota fiscal” x')).toEqual(['nota fiscal', 'x'])
  })
  it('are words while the closing quote is missing, and each counts once', () => {
    expect(searchTerms('"bom dia')).toEqual(['bom', 'dia'])
    expect(searchTerms('dia DIA "" " "')).toEqual(['dia'])
  })
  it('need one with three letters or digits', () => {
    expect(areSearchable(['ok', 'oi'])).toBe(false)
    expect(areSearchable(['ok', 'pix'])).toBe(true)
    expect(areSearchable(['50,00'])).toBe(true)
    expect(areSearchable(['!!!'])).toBe(false)
    expect(areSearchable([])).toBe(false)
  })
})

describe('the searchable content of a message', () => {
  const media = (name: string) => ({ name })
  it('is its text on one line and the name of its file', () => {
    expect(searchableContent({ kind: 'chat', body: 'Bom\n  dia', media: null })).toBe('bom dia')
    expect(searchableContent({ kind: 'application', body: 'Segue', media: media('Contrato Ação.pdf') })).toBe('segue\ncontrato acao.pdf')
  })
  it('leaves out names that no person gave', () => {
    expect(searchableContent({ kind: 'audio', body: '', media: media('file.ogg') })).toBe('')
    expect(searchableContent({ kind: 'chat', body: 'longo', media: media('texto.txt') })).toBe('longo')
  })
})

describe('a snippet', () => {
  it('marks every match on the letters as written, composed or decomposed', () => {
    for (const form of ['NFC', 'NFD'] as const)
      for (const [word, typed] of [
        ['coração', 'coracao'],
        ['forêt', 'foret'],
        ['Größe', 'grosse'],
        ['İzmir', 'izmir'],
        ['Ñandú', 'nandu'],
        ['ação', 'acao'],
      ] as const) {
        const text = `o ${word}, e outro`.normalize(form)
        expect(marked(text, ...searchTerms(typed))).toBe(`o [${word.normalize(form)}], e outro`)
        expect(marked(text, ...searchTerms(word.toUpperCase()))).toBe(`o [${word.normalize(form)}], e outro`)
        expect(marked(typed, ...searchTerms(word))).toBe(`[${typed}]`)
      }
  })
  it('marks several words, and overlapping ones once', () => {
    expect(marked('Boleto da ação: boleto', 'boleto', 'acao')).toBe('[Boleto] da [ação]: [boleto]')
    expect(marked('abacate', 'abaca', 'cate')).toBe('[abacate]')
  })
  it('finds a phrase across a line break', () => expect(marked('nota\n\n fiscal', 'nota fiscal')).toBe('[nota fiscal]'))
  it('contains the text around the first match and does not cut a character in half', () => {
    expect(marked(`${'a '.repeat(100)}frete ${'b '.repeat(300)}`, 'frete')).toMatch(/^…(a ){30}\[frete\] (b ){87,}b?…$/)
    const parts = snippet(`${'😀'.repeat(50)}xfretey${'😀'.repeat(200)}`, ['frete'])!
    expect(parts.every(({ text }) => text.isWellFormed())).toBe(true)
  })
  it('is null without a match', () => expect(marked('Bom dia', 'noite')).toBeNull())
})
