import { writeCard } from '#domain/vcard/rules.ts'
import { type Json, list, object, text } from './json.ts'

/** Converts Graph's contact card to a vCard file. */
export function vCardOf(card: Json): string {
  const { formatted_name, first_name, last_name } = object(card.name)
  const [first, last] = [text(first_name), text(last_name)]
  const { company, title } = object(card.org)
  return writeCard({
    ...{ name: text(formatted_name) || `${first} ${last}`.trim(), first, last },
    ...{ organization: text(company), title: text(title) },
    phones: list(card.phones).map(({ phone, wa_id }) => ({ number: text(phone), whatsAppId: text(wa_id) })),
    emails: list(card.emails).map(({ email }) => text(email)),
    urls: list(card.urls).map(({ url }) => text(url)),
    addresses: list(card.addresses).map(({ street, city, state, zip, country }) =>
      [street, city, state, zip, country].map(text).filter(Boolean).join(', '),
    ),
  })
}
