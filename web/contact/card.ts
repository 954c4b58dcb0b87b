import type { ContactRow } from '#domain/contact/contract.ts'
import { hasPhoneNumbers } from '#domain/contact/rules.ts'
import { writeCard } from '#domain/vcard/rules.ts'
import { formattedNumber } from './phone.ts'

/** The contact card of a contact as a vCard; null: its number is masked, or there is nothing by which to reach it. */
export function contactCard({ name, number, email, channel }: Pick<ContactRow, 'name' | 'number' | 'email' | 'channel'>): string | null {
  if (number.includes('*')) return null
  const phones = hasPhoneNumbers(channel) && /^\d+$/.test(number) ? [{ number: formattedNumber(number), whatsAppId: number }] : []
  const emails = email === '' ? [] : [email]
  return phones.length + emails.length === 0 ? null : writeCard({ name, phones, emails })
}
