import { describe, expect, it } from 'vitest'
import { isCalled, validNumber } from '#domain/contact/rules.ts'
import { shownNumber } from '#web/contact/phone.ts'

describe('a number as everybody reads it', () => {
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
  ])('%s is %s', (number, shown) => expect(shownNumber(number)).toBe(shown))
})

describe('a number one can chat with (R-PHONE-02, A-PHONE-01)', () => {
  const whatsapp = { channel: 'whatsapp', isGroup: false }
  it.each([
    [{ ...whatsapp, number: '5511987654321' }, true],
    [{ ...whatsapp, number: '5511887654321' }, false],
    [{ ...whatsapp, channel: 'whatsappapi', number: '12345678' }, false],
    [{ ...whatsapp, isGroup: true, number: '120363000000000001@g.us' }, true],
    [{ ...whatsapp, channel: 'instagram', number: '17841400000000000' }, true],
    [{ ...whatsapp, channel: 'facebook', number: 'maria' }, true],
  ])('%j: %s', (contact, valid) => expect(validNumber(contact)).toBe(valid))
})

describe('a contact in a list that is searched', () => {
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
  ])('is found by %j: %s', (search, found) => expect(isCalled(jose, search)).toBe(found))
  it('is not found by parts of a number that came masked', () => expect(isCalled({ ...jose, number: '5511*******21' }, '5511')).toBe(false))
})
