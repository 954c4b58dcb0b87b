import { describe, expect, it } from 'vitest'
import { fillPlaceholders } from '#app/ticket/system-messages.ts'
import { textValues } from '#domain/contact/rules.ts'
import { defaults } from '#domain/setting/contract.ts'
import { filled, meetingLink, preview, textNames, unknownNames } from '#domain/ticket/rules.ts'

describe('the preview of a message', () => {
  it('is the text in one line', () => expect(preview('chat', ' Bom\n\n dia,\ttudo  bem? ')).toBe('Bom dia, tudo bem?'))
  it('has at most 200 characters', () => expect(preview('chat', 'a'.repeat(5000))).toHaveLength(200))
  it('marks media with a symbol', () => {
    expect(preview('image', 'o quadro')).toBe('📷 o quadro')
    expect(preview('audio', '')).toBe('🎤')
    expect(preview('video', '')).toBe('🎬')
    expect(preview('application', 'contrato')).toBe('📎 contrato')
  })
  it('never shows coordinates or the text of a contact card', () => {
    expect(preview('locationMessage', '-23.5,-46.6')).toBe('📍')
    expect(preview('contactMessage', 'BEGIN:VCARD')).toBe('👤')
  })
  it('does not cut a character in half', () => expect(preview('chat', `a${'😀'.repeat(300)}`)).toBe(`a${'😀'.repeat(99)}`))
})

it('a meeting link has the id and the beginning of the uuid (A-TICKET-20)', () =>
  expect(meetingLink('https://meet.jit.si', { id: 42, uuid: 'c0ffee00-1111-4222-8333-444455556666' })).toBe(
    'https://meet.jit.si/42-c0ffee00',
  ))

describe('a text with variables (R-MSG-15)', () => {
  const values = { nome: 'Maria', fila: '{nome}' }
  it('accepts one or two pairs of braces (A-BOT-10)', () => {
    expect(filled('Olá {nome}!', values)).toBe('Olá Maria!')
    expect(filled('Olá {{ nome }}!', values)).toBe('Olá Maria!')
    expect(filled('Olá {NOME}!', values)).toBe('Olá Maria!')
  })
  it('keeps unknown names', () => expect(filled('{sobrenome} {}', values)).toBe('{sobrenome} {}'))
  it('does not expand variables inside a value', () => expect(filled('{fila}', values)).toBe('{nome}'))
  it('does not expand names of inherited object properties', () =>
    expect(filled('{constructor} {toString} {__proto__}', values)).toBe('{constructor} {toString} {__proto__}'))
  it('reports each unknown name once (A-BOT-10)', () => {
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
  it('expands every name that the editor offers', () => {
    const contact = { name: 'Maria', number: '5511987654321', email: '', queue: 'Vendas', agent: 'Ana' }
    const text = textNames.map((name) => `{${name}}`).join()
    expect(fillPlaceholders(text, contact, defaults)).toBe('Maria,Maria,5511987654321,,Vendas,Ana')
  })
  it('greets by the first name, and leaves no gap without a name', () => {
    const text = 'Olá {primeiro nome}, até amanhã'
    expect(filled(text, textValues({ name: 'Maria da Silva', number: '5511987654321' }))).toBe('Olá Maria, até amanhã')
    expect(filled('{{ Primeiro Nome }}!', textValues({ name: ' Ana Souza', number: '' }))).toBe('Ana!')
    expect(filled(text, textValues({ name: '5511987654321', number: '5511987654321' }))).toBe('Olá, até amanhã')
  })
})
