import { Readable } from 'node:stream'
import type { Viewer } from '#domain/access.ts'
import type { ContactRow, contacts } from '#domain/contact/contract.ts'
import { completeNumber } from '#domain/contact/phone.ts'
import { hasPhoneNumbers } from '#domain/contact/rules.ts'
import { contactText } from '#domain/contact/texts.ts'
import { extraTitle } from '#domain/contact-field/rules.ts'
import { writtenTags } from '#domain/contact-import/rules.ts'
import { type Ask, ids } from '#domain/contract.ts'
import { dateCell, doubledApostrophe, neutralCell, textCell } from '#domain/report/cells.ts'
import { contactColumns, notesOfContacts } from '#projections/contact/exported.ts'
import { contactBatches } from '#projections/contact/read.ts'
import type { AppContext } from '../context.ts'
import type { HandlerContext, Handlers } from '../http/serve.ts'
import { type Column, excelFile } from '../report/excel-file.ts'
import { inSlot } from '../report/slots.ts'
import { recordSecurity } from '../security/log.ts'
import { countNumber } from './number-questions.ts'

const texts = {
  name: ({ name }: ContactRow) => name,
  number: ({ number }: ContactRow) => number,
  email: ({ email }: ContactRow) => email,
  tags: ({ tags }: ContactRow) => writtenTags(tags.map(({ name }) => name)),
  channel: ({ channel }: ContactRow) => channel,
} as const
const fields = Object.keys(texts) as (keyof typeof texts)[]

type Asked = HandlerContext & Ask<(typeof contacts)['export']>
type Deps = Pick<AppContext, 'db'>
type Exported = ContactRow & { notes: string[] }
type TextColumn = { title: string; text: (row: Exported) => string }

/** The listed contacts as files (R-CONTACT-08). A file can be imported again, with equal values. */
export const exportRoutes = (deps: Deps) =>
  ({
    async export(asked) {
      const { language, columns, batches } = await exported(deps, asked, 'xlsx')
      const { timeZone: zone } = asked.viewer
      const created: Column<Exported> = {
        ...{ title: contactText('createdAt', language), width: 24, format: 'date' },
        cell: ({ createdAt }) => dateCell(zone, createdAt),
      }
      const cells = columns.map(
        ({ title, text }): Column<Exported> => ({
          title,
          width: 28,
          format: 'text',
          cell: (row) => textCell(doubledApostrophe(text(row))) || null,
        }),
      )
      return excelFile(cells.toSpliced(fields.length, 0, created), batches, { name: contactText('contacts', language), language, zone })
    },
    async exportText(asked) {
      const { language, columns, batches } = await exported(deps, asked, 'csv')
      const created = { title: contactText('createdAt', language), text: (row: Exported) => new Date(row.createdAt).toISOString() }
      return Readable.from(linesOf(columns.toSpliced(fields.length, 0, created), batches))
    },
  }) satisfies Partial<Handlers<typeof contacts>>

async function exported({ db }: Deps, { viewer, wire, query: { contactTag, ...query } }: Asked, format: string) {
  const { companyId, id: userId } = viewer as Viewer
  countNumber(viewer, query.searchParam, wire)
  const { language } = await db.selectFrom('user').select('language').where('id', '=', userId).executeTakeFirstOrThrow()
  await recordSecurity(db, { companyId, userId, address: wire.ip, kind: 'exported', detail: { list: 'contacts', format } })
  const filter = { ...query, tagIds: ids(contactTag) }
  const { extra, hasNotes } = await contactColumns(db, viewer, filter)
  const columns: TextColumn[] = [
    ...fields.map((field) => ({ title: contactText(field, language), text: texts[field] })),
    ...extra.map(({ name, nth }) => ({
      title: extraTitle(name, language),
      text: ({ extraInfo }: Exported) => extraInfo.filter((info) => info.name === name)[nth]?.value ?? '',
    })),
    ...(hasNotes ? [{ title: contactText('notes', language), text: ({ notes }: Exported) => notes.join('\n\n') }] : []),
  ]
  /* A complete number of another country would be completed with the own country when it is imported. */
  const withCountry = (row: ContactRow) =>
    hasPhoneNumbers(row.channel) && /^\d+$/.test(row.number) && completeNumber(row.number, viewer.phoneCountry) !== row.number
      ? { ...row, number: `+${row.number}` }
      : row
  async function* rows(): AsyncGenerator<Exported[]> {
    for await (const batch of contactBatches(db, viewer, filter)) {
      const notes = hasNotes ? await notesOfContacts(db, viewer, batch) : new Map<number, string[]>()
      yield batch.map((row) => ({ ...withCountry(row), notes: notes.get(row.id) ?? [] }))
    }
  }
  return { language, columns, batches: inSlot(rows()) }
}

async function* linesOf(columns: TextColumn[], batches: AsyncIterable<Exported[]>): AsyncGenerator<string> {
  const line = (cells: string[]) => `${cells.map(csvCell).join(';')}\r\n`
  yield `\ufeff${line(columns.map(({ title }) => title))}`
  for await (const rows of batches) yield rows.map((row) => line(columns.map(({ text }) => text(row)))).join('')
}
const csvCell = (text: string) => `"${neutralCell(text).toWellFormed().replaceAll('"', '""')}"`
