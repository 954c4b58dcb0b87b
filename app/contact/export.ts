import { Readable } from 'node:stream'
import type { Viewer } from '#domain/access.ts'
import type { ContactRow, contacts } from '#domain/contact/contract.ts'
import { type Ask, ids } from '#domain/contract.ts'
import { dateCell, textCell } from '#domain/report/cells.ts'
import { languages } from '#domain/user/rules.ts'
import { contactBatches } from '#projections/contact/read.ts'
import type { AppContext } from '../context.ts'
import type { HandlerContext, Handlers } from '../http/serve.ts'
import { type Column, excelFile } from '../report/excel-file.ts'
import { inSlot } from '../report/slots.ts'
import { recordSecurity } from '../security/log.ts'
import { countNumber } from './number-questions.ts'

const titles = {
  sheet: ['Contatos', 'Contacts', 'Contactos', 'Kişiler'],
  name: ['Nome', 'Name', 'Nombre', 'Ad'],
  number: ['Número', 'Number', 'Número', 'Numara'],
  email: ['E-mail', 'Email', 'Correo electrónico', 'E-posta'],
  tags: ['Tags', 'Tags', 'Etiquetas', 'Etiketler'],
  channel: ['Canal', 'Channel', 'Canal', 'Kanal'],
  createdAt: ['Criado', 'Created', 'Creado', 'Oluşturuldu'],
} as const
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
      const at = indexOf(language)
      const { timeZone: zone } = asked.viewer
      const created: Column<ContactRow> = {
        ...{ title: titles.createdAt[at]!, width: 24, format: 'date' },
        cell: ({ createdAt }) => dateCell(zone, createdAt),
      }
      const columns = fields.map(
        (field): Column<ContactRow> => ({
          ...{ title: titles[field][at]!, width: 28, format: 'text' },
          cell: (row) => textCell(texts[field](row)) || null,
        }),
      )
      return excelFile([...columns, created], batches, { name: titles.sheet[at]!, language, zone })
    },
    async exportText(asked) {
      const { language, batches } = await exported(deps, asked, 'csv')
      return Readable.from(linesOf(indexOf(language), batches))
    },
  }) satisfies Partial<Handlers<typeof contacts>>

const indexOf = (language: string) => Math.max(0, (languages as readonly string[]).indexOf(language))

async function exported({ db }: Deps, { viewer, wire, query: { contactTag, ...query } }: Asked, format: string) {
  const { companyId, id: userId } = viewer as Viewer
  countNumber(viewer, query.searchParam, wire)
  const { language } = await db.selectFrom('user').select('language').where('id', '=', userId).executeTakeFirstOrThrow()
  await recordSecurity(db, { companyId, userId, address: wire.ip, kind: 'exported', detail: { list: 'contacts', format } })
  return { language, batches: inSlot(contactBatches(db, viewer, { ...query, tagIds: ids(contactTag) })) }
}

async function* linesOf(at: number, batches: AsyncIterable<ContactRow[]>): AsyncGenerator<string> {
  const line = (cells: string[]) => `${cells.map(csvCell).join(';')}\r\n`
  yield `\ufeff${line([...fields.map((field) => titles[field][at]!), titles.createdAt[at]!])}`
  for await (const rows of batches)
    yield rows.map((row) => line([...fields.map((field) => texts[field](row)), new Date(row.createdAt).toISOString()])).join('')
}
/** A spreadsheet calculates a cell that begins with one of these characters. */
const formula = /^\s*[=+\-@\t\r]/
const csvCell = (text: string) => `"${(formula.test(text) ? `'${text}` : text).toWellFormed().replaceAll('"', '""')}"`
