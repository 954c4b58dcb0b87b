import { describe, expect, it } from 'vitest'
import { brazilian, masked, numberKey } from '#domain/contact/rules.ts'
import { defaults, hidesNumbers } from '#domain/setting/contract.ts'

describe('a Brazilian number (R-PHONE-01)', () => {
  it.each([
    ['1132654321', 'eight digits'],
    ['11987654321', 'nine that begin with 9'],
    ['551132654321', 'with the country'],
    ['+55 (11) 98765-4321', 'as people write it'],
    ['99987654321', 'the last area'],
    ['5532654321', 'area 55 without the country'],
  ])('%s is one: %s', (number) => expect(brazilian(number)).toBe(true))
  it.each([
    ['113265432', 'too short'],
    ['55119876543210', 'too long'],
    ['10987654321', 'no such area'],
    ['11887654321', 'nine digits that do not begin with 9'],
    ['351912345678', 'another country'],
    ['', 'nothing'],
    ['maria', 'no digits'],
  ])('%s is none: %s', (number) => expect(brazilian(number)).toBe(false))
})

describe('the key of a number (A-CONTACT-02)', () => {
  it('is the same with and without the ninth digit, the country, and marks', () => {
    const keys = ['11987654321', '1187654321', '5511987654321', '551187654321', '+55 11 98765-4321'].map(numberKey)
    expect(new Set(keys)).toEqual(new Set(['551187654321']))
  })
  it('differs by area and by number', () => {
    expect(numberKey('11987654321')).not.toBe(numberKey('21987654321'))
    expect(numberKey('11987654321')).not.toBe(numberKey('11987654322'))
  })
  it('leaves another country’s digits as they are', () => expect(numberKey('+351 912 345 678')).toBe('351912345678'))
  it('leaves an id without digits as it is', () => expect(numberKey('maria.silva')).toBe('maria.silva'))
})

describe('a masked number (A-LGPD-04)', () => {
  it('keeps country, area and the last two digits', () => expect(masked('5511987654321')).toBe('5511*******21'))
  it('has as many places as the number', () => expect(masked('5511987654321')).toHaveLength(13))
  it('is for where both settings say so, on screens as in files (A-LGPD-05)', () => {
    const hides = (enableLGPD: string, lgpdHideNumber: string) =>
      hidesNumbers({ ...defaults, enableLGPD, lgpdHideNumber } as typeof defaults)
    expect(hides('enabled', 'enabled')).toBe(true)
    expect([hides('enabled', 'disabled'), hides('disabled', 'enabled'), hidesNumbers(defaults)]).toEqual([false, false, false])
  })
  it('hides a short one whole', () => expect(masked('12345')).toBe('*****'))
})
