import { describe, expect, it } from 'vitest'
import { completeNumber, isValidEntry, isValidNumber, masked, maskedName } from '#domain/contact/phone.ts'
import { isCalled, numberForms, numberKey, textValues } from '#domain/contact/rules.ts'
import { defaults, hidesNumbers } from '#domain/setting/contract.ts'
import { filled } from '#domain/ticket/rules.ts'

describe('a whole number (R-PHONE-01, A-PHONE-03)', () => {
  it.each([
    ['551132654321', 'eight digits'],
    ['5511987654321', 'nine that begin with 9'],
    ['5599987654321', 'the last area'],
    ['351912345678', 'of Portugal'],
    ['51987654321', 'of Peru'],
    ['12125550123', 'of the United States'],
    ['5491123456789', 'of Argentina'],
  ])('%s is valid: %s', (number) => expect(isValidNumber(number)).toBe(true))
  it.each([
    ['55113265432', 'too short'],
    ['55119876543210', 'too long'],
    ['5510987654321', 'no such area'],
    ['5511887654321', 'nine digits that do not begin with 9'],
    ['35191234567', 'too short for Portugal'],
    ['', 'nothing'],
    ['maria', 'no digits'],
  ])('%s is invalid: %s', (number) => expect(isValidNumber(number)).toBe(false))
})

describe('a typed number is completed with the company’s country (A-PHONE-02)', () => {
  it.each([
    ['BR', '51 98765-4321', '5551987654321'],
    ['BR', '11 95555-7070', '5511955557070'],
    ['BR', '(11) 3265-4321', '551132654321'],
    ['BR', '1187654321', '551187654321'],
    ['BR', '55 99999-8888', '5555999998888'], // area 55
    ['BR', '011 98765-4321', '5511987654321'],
    ['BR', '5511987654321', '5511987654321'],
    ['BR', '+51 987 654 321', '51987654321'],
    ['BR', '0051987654321', '51987654321'],
    ['BR', '351 912 345 678', '351912345678'],
    ['BR', '+1 (212) 555-0123', '12125550123'],
    ['BR', '12345678', '12345678'],
    ['BR', '+55 (011) 97777-1236', '5511977771236'],
    ['BR', '0 15 11 97777-1237', '5511977771237'],
    ['BR', '041 11 98765 4321', '5511987654321'],
    ['BR', '+44 (0)7911 123456', '447911123456'],
    ['BR', '90000-0001', '900000001'],
    ['PT', '912 345 678', '351912345678'],
    ['PT', '351912345678', '351912345678'],
    ['PT', '+55 11 98765-4321', '5511987654321'],
    ['PT', '5511987654321', '5511987654321'],
    ['PE', '987654321', '51987654321'],
    ['TR', '0532 123 45 67', '905321234567'],
    ['AR', '011 15-2345-6789', '5491123456789'],
    ['US', '(212) 555-0123', '12125550123'],
    ['BR', '90 532 123 45 67', '905321234567'], // 90 is Turkey, not the prefix of a collect call
    ['BR', '+52 1 55 9876 5432', '525598765432'],
    ['MX', '55 9876 5432', '525598765432'],
  ] as const)('in %s, %s becomes %s', (country, typed, whole) => expect(completeNumber(typed, country)).toBe(whole))
})

describe('a typed number', () => {
  it.each([
    ['BR', '98877-6655'],
    ['BR', '8888-5612'],
    ['BR', '98888 5612'],
    ['PT', '12 345 67'],
  ] as const)('in %s, %s lacks its area code', (country, typed) => expect(isValidEntry(typed, completeNumber(typed, country))).toBe(false))
  it.each([
    ['BR', '11 98877-6655'],
    ['BR', '+298 211234'],
    ['BR', '00298 211234'],
    ['BR', '351 912 345 678'],
    ['DK', '32 12 34 56'],
    ['BR', '+52 1 55 9876 5432'],
  ] as const)('in %s, %s is valid', (country, typed) => expect(isValidEntry(typed, completeNumber(typed, country))).toBe(true))
})

describe('the key of a complete number (A-CONTACT-02, A-PHONE-02)', () => {
  it('is the same for a mobile number of Brazil with and without its ninth digit', () =>
    expect(new Set(['5511987654321', '551187654321', '+55 11 98765-4321'].map(numberKey))).toEqual(new Set(['551187654321'])))
  it('is the same for a number of Mexico or Argentina with and without the digit of its mobile numbers', () => {
    expect(['525598765432', '5215598765432', '541198765432', '5491198765432'].map(numberKey)).toEqual([
      ...['525598765432', '525598765432', '541198765432', '541198765432'],
    ])
    expect(numberForms('525598765432')).toEqual(['525598765432', '5215598765432'])
    expect(numberForms('5491198765432')).toEqual(['541198765432', '5491198765432'])
    expect(numberForms('5215598')).toEqual(['5215598'])
  })
  it.each([
    ['5511987654321', '5521987654321', 'another area'],
    ['5511934567890', '551134567890', 'a mobile number and a landline'],
    ['5511955557070', '551155557070', 'a mobile number and a landline'],
    ['51987654321', '5551987654321', 'Peru and Porto Alegre'],
    ['4791234567', '5547991234567', 'Norway and Joinville'],
    ['11987654321', '5511987654321', 'another country and São Paulo'],
  ])('differs between %s and %s: %s', (one, other) => expect(numberKey(one)).not.toBe(numberKey(other)))
  it('leaves digits of other countries unchanged', () => expect(numberKey('+351 912 345 678')).toBe('351912345678'))
  it('leaves an id without digits unchanged', () => expect(numberKey('maria.silva')).toBe('maria.silva'))
})

it.each(['31987539262', '+55 (31) 98753-9262', '987539262', '031 98753-9262', '8753-9262', '553187539262'])(
  'a number stored without its ninth digit is found by %s',
  (search) => {
    expect(isCalled({ name: 'Ana', number: '553187539262' }, search)).toBe(true)
    expect(isCalled({ name: 'Ana', number: '5531987539262' }, search)).toBe(true)
  },
)

describe('a text for a contact without name or number (A-BOT-10)', () => {
  const text = 'Olá {nome}, seu número é {{ numero }}'
  it.each([
    [{ name: 'Cliente 0155', number: '97700000090155@lid' }, 'Olá, seu número é'],
    [{ name: '97700000090155@lid', number: '97700000090155@lid' }, 'Olá, seu número é'],
    [{ name: '5511987654321', number: '5511987654321' }, 'Olá, seu número é 5511987654321'],
    [{ name: '.', number: '5511987654321' }, 'Olá, seu número é 5511987654321'],
    [{ name: '~', number: '17841400000000000' }, 'Olá, seu número é'],
    [{ name: ' - ', number: '5511987654321' }, 'Olá, seu número é 5511987654321'],
    [{ name: '🌻', number: '5511987654321' }, 'Olá, seu número é 5511987654321'],
    [{ name: '7', number: '5511987654321' }, 'Olá 7, seu número é 5511987654321'],
    [{ name: '李', number: '5511987654321' }, 'Olá 李, seu número é 5511987654321'],
    [{ name: 'Ana', number: '17841400000000000' }, 'Olá Ana, seu número é'],
    [{ name: 'Ana', number: '5511987654321' }, 'Olá Ana, seu número é 5511987654321'],
  ])('%j', (contact, said) => expect(filled(text, textValues(contact))).toBe(said))
  it.each([
    ['{nome}, bom dia!', 'bom dia!'],
    ['Oi {nome}!', 'Oi!'],
    ['Olá, {nome}! Tudo bem?', 'Olá! Tudo bem?'],
    ['Olá, {nome}, tudo bem?', 'Olá, tudo bem?'],
    ['Olá, {nome} tudo bem?', 'Olá, tudo bem?'],
    ['Bom dia, {nome}', 'Bom dia'],
    ['Olá, *{nome}*! Até já', 'Olá! Até já'],
    ['*{{ nome }}*, bom dia', 'bom dia'],
    ['*Olá {nome}*', '*Olá*'],
    ['_{nome} e família_', '_e família_'],
    ['Oi {nome} tudo bem?', 'Oi tudo bem?'],
    ['Oi\n{nome}', 'Oi\n'],
    ['Oi {nome}\nTudo bem?', 'Oi\nTudo bem?'],
    ['Olá ({{nome}})', 'Olá'],
    ['Olá ({nome}), tudo bem?', 'Olá, tudo bem?'],
    ['Cliente "{nome}": bom dia', 'Cliente: bom dia'],
    ['Olá “{nome}”!', 'Olá!'],
    ['Olá (*{nome}*)', 'Olá'],
    ['(*{nome}*, cliente)', '(cliente)'],
    ['Olá (Sr. {nome})', 'Olá (Sr.)'],
    ['Olá ({nome} e família)', 'Olá (e família)'],
  ])('%j leaves no gap', (text, said) => expect(filled(text, { nome: '' })).toBe(said))
  it.each(['Olá ({nome})', 'Olá "{nome}"', "{nome}'s", 'Olá ( {nome}'])('%j keeps its marks around a name', (text) =>
    expect(filled(text, { nome: 'Ana' })).toBe(text.replace('{nome}', 'Ana')),
  )
})

describe('a masked number (A-LGPD-04)', () => {
  it('keeps the country code, the area code and the last two digits', () => expect(masked('5511987654321')).toBe('5511*******21'))
  it.each([
    ['11987654321', '11*******21', 'a number of Brazil without its country'],
    ['351912345678', '351*******78', 'Portugal, which has no areas'],
    ['12125550123', '1212*****23', 'North America'],
    ['97700000091155@lid', '******************', 'an id that is no number'],
  ])('%s becomes %s: %s', (number, shown) => expect(masked(number)).toBe(shown))
  it.each([
    ['Rosa 11 97777-1111', 'Rosa 11*******11'],
    ['Tel: 5511977773333', 'Tel: 5511*******33'],
    ['Loja 24 horas', 'Loja 24 horas'],
  ])('in the name %s becomes %s', (name, shown) => expect(maskedName(name)).toBe(shown))
  it('has as many characters as the number', () => expect(masked('5511987654321')).toHaveLength(13))
  it('is used if both settings are enabled, on screens and in files (A-LGPD-05)', () => {
    const hides = (enableLGPD: string, lgpdHideNumber: string) =>
      hidesNumbers({ ...defaults, enableLGPD, lgpdHideNumber } as typeof defaults)
    expect(hides('enabled', 'enabled')).toBe(true)
    expect([hides('enabled', 'disabled'), hides('disabled', 'enabled'), hidesNumbers(defaults)]).toEqual([false, false, false])
  })
  it('is hidden completely if it is short', () => expect(masked('12345')).toBe('*****'))
})
