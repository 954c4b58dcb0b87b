import { describe, expect, it } from 'vitest'
import { isCalled } from '#domain/contact/rules.ts'
import { apart } from '#web/connection/apart.ts'
import { findsConnection } from '#web/connection/list.ts'
import { formattedNumber, wholeNumber } from '#web/contact/phone.ts'

describe('a formatted number', () => {
  it.each([
    ['5511987654321', '+55 11 98765-4321'],
    ['11987654321', '+55 11 98765-4321'],
    ['(11) 98765-4321', '+55 11 98765-4321'],
    ['551132654321', '+55 11 3265-4321'],
    ['905321234567', '+90 532 123 45 67'],
    ['12125550123', '+1 212 555 0123'],
    ['5511*******21', '5511*******21'],
    ['17841400000000000', '17841400000000000'],
    ['maria.silva', 'maria.silva'],
    ['120363000000000001@g.us', '120363000000000001@g.us'],
    ['123', '123'],
    ['', ''],
  ])('%s is shown as %s', (number, shown) => expect(formattedNumber(number)).toBe(shown))
})

describe('the number for a pairing code', () => {
  it.each([
    ['11900000001', '5511900000001'], // as it is shown beside its code
    ['+55 11 90000-0001', '5511900000001'],
    ['\u202a+55\u00a011\u00a090000\u20110001\u202c', '5511900000001'],
    ['1 212 555 0123', '12125550123'],
    ['+90 532 123 45 67', '905321234567'],
    ['11 90000-0001 ramal 2', null],
    ['11 90000-00012', null],
    ['55119000000010000000', null],
    ['90000-0001', null],
    ['', null],
  ])('%s becomes %s', (typed, whole) => expect(wholeNumber(typed, 'BR')).toBe(whole))
})

describe('a contact in a searched list', () => {
  const jose = { name: 'José D’Ávila', number: '5511987654321' }
  it.each([
    ['jose', true],
    ['AVILA', true],
    ['  josé ', true],
    ['98765', true],
    ['(11) 9876', true],
    ['987', false],
    ['#98765', false],
    ['maria', false],
    ['jose   d’avila', true],
  ])('is found by %j: %s', (search, found) => expect(isCalled(jose, search)).toBe(found))
  it('is found by its name as it is read', () => expect(isCalled({ ...jose, name: 'Ana  Lima' }, 'ana lima')).toBe(true))
  it('is not found by parts of a masked number', () => expect(isCalled({ ...jose, number: '5511*******21' }, '5511')).toBe(false))
})

describe('a connection in a searched list', () => {
  const page = { name: 'Loja', channel: 'facebook', number: null } as const
  const phone = { name: 'Balcão', channel: 'whatsapp', number: '551140001000' } as const
  it.each([
    ['', true, true],
    ['null', false, false],
    ['facebook', true, false],
    ['balcao', false, true],
    ['+55 11 4000', false, true],
    ['4000-1000', false, true],
    ['(11) 4000', false, true],
  ])('the search %j finds the matching connections', (wanted, ofPage, ofPhone) => {
    expect([findsConnection(page, wanted), findsConnection(phone, wanted)]).toEqual([ofPage, ofPhone])
  })
})

it('connections with the same name are distinguished by number or channel', () => {
  const of = (id: number, name: string, number: string | null, channel: 'whatsapp' | 'facebook' = 'whatsapp') => ({
    id,
    name,
    number,
    channel,
  })
  const rows = [
    of(1, 'Oficial', '5511900000001'),
    of(2, 'oficial ', '5511900000002'),
    of(3, 'Oficial', null, 'facebook'),
    of(4, 'Loja', null),
  ]
  const names = ['Oficial · +55 11 90000-0001', 'oficial · +55 11 90000-0002', 'Oficial · Facebook #3', 'Loja']
  expect(apart(rows).map(({ name }) => name)).toEqual(names)
})
