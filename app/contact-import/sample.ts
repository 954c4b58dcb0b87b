import type { Readable } from 'node:stream'
import { contactText } from '#domain/contact/texts.ts'
import { type Column, excelFile } from '../report/excel-file.ts'

/** Numbers from the examples of libphonenumber, with their country code, so that every company can import them. */
const people = [
  { name: 'Conceição Ávila', number: '+55 11 96123-4567', email: 'conceicao@example.com', tags: 'VIP, Newsletter' },
  { name: 'José Muñoz', number: '+34 612 34 56 78', email: '', tags: 'Newsletter' },
  { name: 'Işık Öztürk', number: '+90 501 234 56 78', email: 'isik@example.com', tags: '' },
]

/** A table that can be imported as it is. Its numbers are texts, because Excel shortens long numbers. */
export function sampleSheet(language: string, zone: string): Readable {
  const columns = (['name', 'number', 'email', 'tags'] as const).map(
    (field): Column<(typeof people)[number]> => ({
      ...{ title: contactText(field, language), width: 28, format: 'text' },
      cell: (row) => row[field] || null,
    }),
  )
  return excelFile(columns, [people], { name: contactText('contacts', language), language, zone })
}
