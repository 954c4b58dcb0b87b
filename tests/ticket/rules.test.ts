import { describe, expect, it } from 'vitest'
import { fillPlaceholders } from '#app/ticket/system-messages.ts'
import { defaults } from '#domain/setting/contract.ts'
import { filled, preview, textNames, unknownNames } from '#domain/ticket/rules.ts'

describe('the preview of a message', () => {
  it('is its text in one line', () => expect(preview('chat', ' Bom\n\n dia,\ttudo  bem? ')).toBe('Bom dia, tudo bem?'))
  it('is short', () => expect(preview('chat', 'a'.repeat(5000))).toHaveLength(200))
  it('marks what is no text', () => {
    expect(preview('image', 'o quadro')).toBe('📷 o quadro')
    expect(preview('audio', '')).toBe('🎤')
    expect(preview('video', '')).toBe('🎬')
    expect(preview('application', 'contrato')).toBe('📎 contrato')
  })
  it('never shows coordinates or a card’s text', () => {
    expect(preview('locationMessage', '-23.5,-46.6')).toBe('📍')
    expect(preview('contactMessage', 'BEGIN:VCARD')).toBe('👤')
  })
  it('cuts no character in half', () => expect(preview('chat', `a${'😀'.repeat(300)}`)).toBe(`a${'😀'.repeat(99)}`))
})

describe('a text with variables (R-MSG-15)', () => {
  const values = { nome: 'Maria', fila: '{nome}' }
  it('is filled, in one pair of braces or two (A-BOT-10)', () => {
    expect(filled('Olá {nome}!', values)).toBe('Olá Maria!')
    expect(filled('Olá {{ nome }}!', values)).toBe('Olá Maria!')
    expect(filled('Olá {NOME}!', values)).toBe('Olá Maria!')
  })
  it('keeps a name it does not know', () => expect(filled('{sobrenome} {}', values)).toBe('{sobrenome} {}'))
  it('does not fill what a value says', () => expect(filled('{fila}', values)).toBe('{nome}'))
  it('knows no name that every object has', () =>
    expect(filled('{constructor} {toString} {__proto__}', values)).toBe('{constructor} {toString} {__proto__}'))
  it('says which of its names nobody knows, in one pair of braces or two, once each (A-BOT-10)', () => {
    expect(unknownNames('Olá {NOME}, {{ fila }} {email} {{numero}}', textNames)).toEqual([])
    expect(unknownNames('{foo} {{ Bar }} {foo} {nome completo} {position} {} { }', textNames)).toEqual([
      '{foo}',
      '{{ Bar }}',
      '{nome completo}',
      '{position}',
    ])
    expect(unknownNames('Você é o {position}', [...textNames, 'position'])).toEqual([])
    expect(unknownNames('{\n nome: 1 }', textNames)).toEqual([])
  })
  it('leaves none of the names open that are offered where it is written', () => {
    const contact = { name: 'Maria', number: '5511987654321', email: '', queue: 'Vendas' }
    const text = textNames.map((name) => `{${name}}`).join()
    expect(fillPlaceholders(text, contact, defaults)).toBe('Maria,5511987654321,,Vendas')
  })
})
