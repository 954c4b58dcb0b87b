import { type Json, list, object, text } from './json.ts'

const escaped = (words: string) => words.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n|[\r\n]/g, '\\n')
/** As WhatsApp knows the number, of digits alone: whatever else stands there would be read as more of the card. */
function waid(id: string): string {
  const digits = id.replace(/\D/g, '')
  return digits && `;waid=${digits}`
}

/** A contact card as Graph writes it, as the field's own kind of file. */
export function vCardOf(card: Json): string {
  const { formatted_name, first_name = '', last_name = '' } = object(card.name)
  const name = text(formatted_name) || `${text(first_name)} ${text(last_name)}`.trim()
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${escaped(text(last_name))};${escaped(text(first_name) || name)};;;`,
    `FN:${escaped(name)}`,
    ...list(card.phones).map(({ phone, wa_id }) => `TEL;type=CELL${waid(text(wa_id))}:${escaped(text(phone))}`),
    ...list(card.emails).map(({ email }) => `EMAIL:${escaped(text(email))}`),
    ...(text(object(card.org).company) ? [`ORG:${escaped(text(object(card.org).company))}`] : []),
    'END:VCARD',
  ].join('\n')
}
