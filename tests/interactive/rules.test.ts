import { describe, expect, it } from 'vitest'
import { asText, crc16, dialled, pixCode, pixKey, webAddress } from '#domain/interactive/rules.ts'

describe('a Pix key', () => {
  it('is accepted as people write it, and checked by its check digits', () => {
    expect(pixKey('CPF', ' 529.982.247-25 ')).toBe('52998224725')
    expect(pixKey('CPF', '529.982.247-26')).toBeNull()
    expect(pixKey('CPF', '111.111.111-11')).toBeNull()
    expect(pixKey('CNPJ', '11.222.333/0001-81')).toBe('11222333000181')
    expect(pixKey('CNPJ', '11.222.333/0001-82')).toBeNull()
    expect(pixKey('CNPJ', '12.abc.345/01de-35')).toBe('12ABC34501DE35') // the example of the tax office
  })
  it('that is a phone number gets the country code (R-MSG-10)', () => {
    for (const written of ['(11) 91111-2222', '11911112222', '+55 11 91111-2222', '5511911112222'])
      expect(pixKey('PHONE', written)).toBe('+5511911112222')
    expect(pixKey('PHONE', '911112222')).toBeNull()
    expect(pixKey('PHONE', 'ligue 11911112222')).toBeNull()
  })
  it('can be an e-mail address or a random key', () => {
    expect(pixKey('EMAIL', 'Loja@Exemplo.com.br')).toBe('loja@exemplo.com.br')
    expect(pixKey('EMAIL', 'loja@exemplo')).toBeNull()
    expect(pixKey('EVP', '123E4567-e89b-12d3-a456-426655440000')).toBe('123e4567-e89b-12d3-a456-426655440000')
    expect(pixKey('EVP', '123')).toBeNull()
  })
})

describe('a payment code', () => {
  it('follows the manual of the central bank', () => {
    const code = pixCode('123e4567-e12b-12d1-a456-426655440000', 'Fulano de Tal', null)
    expect(code).toMatch(/^00020126580014br\.gov\.bcb\.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913FULANO DE TAL/)
    expect(code).toMatch(/6006BRASIL62070503\*\*\*6304[0-9A-F]{4}$/)
  })
  it('contains the amount, and the name in plain letters', () =>
    expect(pixCode('52998224725', 'Padaria São João do Ribeirão', 1250)).toContain('540512.505802BR5925PADARIA SAO JOAO DO RIBEI'))
  it('ends with the checksum of that manual', () => {
    const example =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***6304'
    expect(crc16(example)).toBe('1D3D')
    const code = pixCode('a@b.co', 'A', 100)
    expect(code.slice(-4)).toBe(crc16(code.slice(0, -4)))
  })
})

it('a number to call is completed for calls from anywhere', () => {
  expect(dialled('(11) 4004-1234')).toBe('+551140041234')
  expect(dialled('+1 202 555 0100')).toBe('+12025550100')
  expect(dialled('\u202a+55\u00a011\u00a091234\u20115678\u202c')).toBe('+5511912345678') // as WhatsApp copies it
  expect(dialled('\u202a11 91234\u20115678\u202c')).toBe('+5511912345678')
  expect(dialled('0800')).toBeNull()
  expect(dialled('javascript:1')).toBeNull()
})

it('a link must be a web address', () => {
  expect(webAddress(' loja.com.br/x?a=1 ')).toBe('https://loja.com.br/x?a=1')
  expect(webAddress('loja.com.br:8443/x')).toBe('https://loja.com.br:8443/x')
  for (const none of ['javascript:alert(1)', 'http://', 'loja', 'a b.com', 'ftp://a.com', 'data:text/html,x'])
    expect(webAddress(none)).toBeNull()
})

describe('an interactive message as text', () => {
  const about = { title: 'Horários', description: 'Escolha um' }
  it('has numbered options for a list', () => {
    const rows = [
      { id: '1', title: 'Manhã', description: 'até 12h' },
      { id: '2', title: 'Tarde', description: '' },
    ]
    const sections = [
      { title: 'Hoje', rows },
      { title: 'Amanhã', rows: [{ id: '3', title: 'Noite', description: '' }] },
    ]
    expect(asText({ ...about, kind: 'list', buttonText: 'Ver', sections })).toBe(
      'Horários\n\nEscolha um\n\nHoje\n1. Manhã – até 12h\n2. Tarde\n\nAmanhã\n3. Noite',
    )
  })
  it('shows the value after the button text', () => {
    expect(asText({ ...about, kind: 'url', buttonText: 'Abrir', url: 'https://a.test/x' })).toMatch(/\n\nAbrir: https:\/\/a\.test\/x$/)
    expect(asText({ ...about, kind: 'copy', buttonText: 'Cupom', copies: 'DEZ' })).toMatch(/\n\nCupom:\n\nDEZ$/)
    expect(asText({ ...about, description: '', kind: 'call', buttonText: 'Ligue', phone: '+551140041234' })).toBe(
      'Horários\n\nLigue: +551140041234',
    )
  })
  it('shows the merchant, the amount, the key and the code of a payment', () => {
    const pix = { kind: 'pix', keyType: 'CPF', key: '52998224725', merchant: 'Loja', cents: 1250, code: '0002' } as const
    expect(asText({ title: 'Pedido 7', description: '', ...pix }).replaceAll('\u00a0', ' ')).toBe(
      'Pedido 7\n\nLoja\nR$ 12,50\nPix: 52998224725\n\n0002',
    )
  })
})
