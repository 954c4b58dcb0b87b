import { expect, it } from 'vitest'
import { cards } from '#domain/vcard/rules.ts'
import { contactCard } from '#web/contact/card.ts'

const contact = { name: 'Lia; Souza', number: '5511987650001', email: 'lia@exemplo.com', channel: 'whatsapp' }

it('a contact becomes a card with name, formatted number, WhatsApp id and email', () => {
  const [card, ...others] = cards(contactCard(contact)!)
  expect(others).toEqual([])
  expect(card).toMatchObject({ name: 'Lia; Souza', emails: ['lia@exemplo.com'] })
  expect(card!.phones).toEqual([{ number: '+55 11 98765-0001', whatsAppId: '5511987650001' }])
})
it('a contact without a phone number becomes a card with the email only', () => {
  const [card] = cards(contactCard({ ...contact, number: '178414123456', channel: 'instagram' })!)
  expect(card).toMatchObject({ phones: [], emails: ['lia@exemplo.com'] })
})
it('a contact with a hidden number, or with neither number nor email, becomes no card', () => {
  expect(contactCard({ ...contact, number: '5511*****0001' })).toBeNull()
  expect(contactCard({ ...contact, number: '178414123456', channel: 'facebook', email: '' })).toBeNull()
  expect(contactCard({ ...contact, number: '9912345678901@lid', email: '' })).toBeNull()
})
