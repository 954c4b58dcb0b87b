import { contactText } from '#domain/contact/texts.ts'
import { languages } from '#domain/user/rules.ts'

/* Tables that this product has exported. Imported again, they change nothing. */

/** The language of the titles, if the table is an export. In a spreadsheet the title of dates also names their zone. */
const languageOf = (columns: string[]) =>
  languages.find(
    (one) =>
      (['name', 'number', 'channel'] as const).every((key) => columns.includes(contactText(key, one))) &&
      columns.some((title) => title.split(' (')[0] === contactText('createdAt', one)),
  )

/** The column with the notes of tickets, which do not belong to the contact; -1 if there is none. */
export function notesColumn(columns: string[]): number {
  const language = languageOf(columns)
  return language === undefined ? -1 : columns.indexOf(contactText('notes', language))
}
/** The column with the channels of the contacts; -1 if there is none. */
export function channelColumn(columns: string[]): number {
  const language = languageOf(columns)
  return language === undefined ? -1 : columns.indexOf(contactText('channel', language))
}
