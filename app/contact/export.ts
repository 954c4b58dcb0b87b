import { Readable } from 'node:stream'
import type { Viewer } from '#domain/access.ts'
import type { ContactRow, contacts } from '#domain/contact/contract.ts'
import { contactText } from '#domain/contact/texts.ts'
import { type Ask, ids } from '#domain/contract.ts'
import { dateCell, textCell } from '#domain/report/cells.ts'
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
  tags: ({ tags }: ContactRow) => tags.map(({ name }) => name).join(', '),
  channel: ({ channel }: ContactRow) => channel,
} as const
const fields = Object.keys(texts) as (keyof typeof texts)[]

type Asked = HandlerContext & Ask<(typeof contacts)['export']>
type Deps = Pick<AppContext, 'db'>

/** The listed contacts as files (R-CONTACT-08). */
export const exportRoutes = (deps: Deps) =>
  ({
    async export(asked) {
      const { language, batches } = await exported(deps, asked, 'xlsx')
      const { timeZone: zone } = asked.viewer
      const created: Column<ContactRow> = {
        ...{ title: contactText('createdAt', language), width: 24, format: 'date' },
        cell: ({ createdAt }) => dateCell(zone, createdAt),
      }
      const columns = fields.map(
        (field): Column<ContactRow> => ({
          ...{ title: contactText(field, language), width: 28, format: 'text' },
          cell: (row) => textCell(texts[field](row)) || null,
        }),
      )
      return excelFile([...columns, created], batches, { name: contactText('contacts', language), language, zone })
    },
    async exportText(asked) {
      const { language, batches } = await exported(deps, asked, 'csv')
      return Readable.from(linesOf(language, batches))
    },
  }) satisfies Partial<Handlers<typeof contacts>>

async function exported({ db }: Deps, { viewer, wire, query: { contactTag, ...query } }: Asked, format: string) {
  const { companyId, id: userId } = viewer as Viewer
  countNumber(viewer, query.searchParam, wire)
  const { language } = await db.selectFrom('user').select('language').where('id', '=', userId).executeTakeFirstOrThrow()
  await recordSecurity(db, { companyId, userId, address: wire.ip, kind: 'exported', detail: { list: 'contacts', format } })
  return { language, batches: inSlot(contactBatches(db, viewer, { ...query, tagIds: ids(contactTag) })) }
}

async function* linesOf(language: string, batches: AsyncIterable<ContactRow[]>): AsyncGenerator<string> {
  const line = (cells: string[]) => `${cells.map(csvCell).join(';')}\r\n`
  yield `\ufeff${line([...fields.map((field) => contactText(field, language)), contactText('createdAt', language)])}`
  for await (const rows of batches)
    yield rows.map((row) => line([...fields.map((field) => texts[field](row)), new Date(row.createdAt).toISOString()])).join('')
}
/** A spreadsheet calculates a cell that begins with one of these characters. A mark before it is doubled, so that an import removes only ours. */
const formula = /^'*\s*[=+\-@\t\r]/
const csvCell = (text: string) => `"${(formula.test(text) ? `'${text}` : text).toWellFormed().replaceAll('"', '""')}"`
