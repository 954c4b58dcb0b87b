import { type Kysely, sql } from 'kysely'
import { archiveText } from '#domain/data-request/texts.ts'
import { refuse } from '#domain/errors.ts'
import { dayIn, timeIn } from '#domain/zone/rules.ts'
import type { Database } from '#projections/database.ts'
import { fileName } from '../storage/file-name.ts'
import type { MediaStore } from '../storage/media.ts'
import type { ZipWriter } from '../storage/zip-writer.ts'
import { type MergedMessages, messagesOf, messagesOfOthers } from './merged-messages.ts'

/** `at`: when the archive is written. `merged`: messages of one contact in the ticket of another, from the time of a merge. */
type Of = {
  companyId: number
  contactId: number
  contacts: number[]
  merged: MergedMessages
  language: string
  zone: string
  at: string
}
type File = { key: string; mime: string; name: string }
type Message = {
  id: number
  createdAt: string
  fromMe: boolean
  isPrivate: boolean
  deletedBy: string | null
  mediaType: string
  body: string
  vCard: string | null
  media: File | null
  template: object | null
  interactive: object | null
  about: object | null
  reactions: object[]
  quotedId: number | null
}
/** `ids`: the person's messages, if the ticket is of another contact. `withoutIds`: messages of other contacts in a ticket of the person. */
type Part = { ids: number[] | null; withoutIds: number[] }
type Ticket = {
  id: number
  createdAt: string
  closedAt: string | null
  status: string
  channel: string
  nps: number | null
  contactId: number
}

/** Everything that is stored about a person: an overview to read, the same as JSON, and the files. Nothing is held in memory as a whole. */
export async function writeArchive(zip: ZipWriter, db: Kysely<Database>, media: MediaStore, of: Of): Promise<void> {
  const contact = await contactOf(db, of)
  await zip.add('data.json', json(db, of, contact))
  await zip.add('index.html', html(db, of, contact))
  for await (const { key, path } of filesOf(db, of, contact.picture)) {
    const content = await media.read(of.companyId, key)
    if (content) await zip.add(path, content, false)
  }
}

type Contact = Awaited<ReturnType<typeof contactOf>>
async function contactOf(db: Kysely<Database>, { companyId, contactId, contacts }: Of) {
  const row = await db
    .selectFrom('contact')
    .select([
      'id',
      'uuid',
      'name',
      'number',
      'email',
      'channel',
      'extraInfo',
      'active',
      'lgpdAcceptedAt',
      'lgpdText',
      'createdAt',
      'updatedAt',
    ])
    .where('companyId', '=', companyId)
    .where('id', '=', contactId)
    .executeTakeFirst()
  const identities = await db.selectFrom('contactIdentity').select(['network', 'kind', 'id']).where('contactId', 'in', contacts).execute()
  const merged = db.selectFrom('contact').select(['name', 'number', 'email']).where('id', 'in', contacts).where('id', '<>', contactId)
  const tags = db
    .selectFrom('contactTag as p')
    .innerJoin('tag as t', 't.id', 'p.tagId')
    .select('t.name')
    .where('p.contactId', '=', contactId)
  const picture = db.selectFrom('rowFile').select('media').where('list', '=', 'contact').where('companyId', '=', companyId)
  return {
    ...(row ?? refuse('ERR_NO_CONTACT_FOUND')),
    identities,
    merged: await merged.orderBy('id').execute(),
    tags: (await tags.orderBy('t.name').execute()).map(({ name }) => name),
    picture: ((await picture.where('rowId', '=', contactId).executeTakeFirst())?.media as File | undefined) ?? null,
  }
}

const pathOf = ({ key, name, mime }: File): string => `files/${key.slice(0, 12)}-${fileName(name, mime)}`

const batchSize = 200
/** The tickets of the person, and those of other contacts with messages of the person. */
async function* ticketsOf(db: Kysely<Database>, { companyId, contacts, merged }: Of): AsyncGenerator<Ticket> {
  const others = [...merged].filter(([, messages]) => messagesOf(messages, contacts).length > 0).map(([id]) => id)
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom('ticket')
      .select(['id', 'createdAt', 'closedAt', 'status', 'channel', 'nps', 'contactId'])
      .where('companyId', '=', companyId)
      .where((eb) => eb.or([eb('contactId', 'in', contacts), eb('id', 'in', [0, ...others])]))
      .where('id', '>', last)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    yield* rows
    if (rows.length < batchSize) return
    last = rows.at(-1)!.id
  }
}
const isOwn = ({ contacts }: Of, { contactId }: Ticket): boolean => contacts.includes(contactId)
function partOf(of: Of, ticket: Ticket): Part {
  const messages = of.merged.get(ticket.id)
  return isOwn(of, ticket)
    ? { ids: null, withoutIds: messagesOfOthers(messages, of.contacts) }
    : { ids: messagesOf(messages, of.contacts), withoutIds: [] }
}
async function* messagesIn(db: Kysely<Database>, of: Of, ticket: Ticket): AsyncGenerator<Message> {
  const { ids, withoutIds } = partOf(of, ticket)
  for (let last = -1; ; ) {
    const { rows } = await sql<Message & { revision: number }>`
      select id, created_at, from_me, is_private, deleted_by, media_type, body, v_card, media, template, interactive, about, reactions, quoted_id, revision
      from message where ticket_id = ${ticket.id} and revision > ${last} and (${ids}::int[] is null or id = any(${ids}::int[]))
        and id <> all(${withoutIds}::int[]) order by revision limit ${batchSize}`.execute(db)
    for (const { revision: _, ...row } of rows) yield row
    if (rows.length < batchSize) return
    last = rows.at(-1)!.revision
  }
}
const notesOf = async (db: Kysely<Database>, of: Of, ticket: Ticket) =>
  isOwn(of, ticket)
    ? await db.selectFrom('note').select(['id', 'createdAt', 'note']).where('ticketId', '=', ticket.id).orderBy('id').execute()
    : []

async function* filesOf(db: Kysely<Database>, of: Of, picture: File | null): AsyncGenerator<{ key: string; path: string }> {
  if (picture) yield { key: picture.key, path: pathOf(picture) }
  const seen = new Set(picture ? [pathOf(picture)] : [])
  for await (const ticket of ticketsOf(db, of))
    for await (const { media } of messagesIn(db, of, ticket)) {
      if (!media || seen.has(pathOf(media))) continue
      seen.add(pathOf(media))
      yield { key: media.key, path: pathOf(media) }
    }
}

const withPath = (file: File | null) => file && { ...file, file: pathOf(file) }
async function* json(db: Kysely<Database>, of: Of, contact: Contact): AsyncGenerator<string> {
  yield `{"contact":${JSON.stringify({ ...contact, picture: withPath(contact.picture) })},"tickets":[`
  let before = ''
  for await (const ticket of ticketsOf(db, of)) {
    const { contactId: _, ...shown } = ticket
    const nps = isOwn(of, ticket) ? ticket.nps : null
    yield `${before}\n${JSON.stringify({ ...shown, nps, notes: await notesOf(db, of, ticket) }).slice(0, -1)},"messages":[`
    let comma = ''
    for await (const message of messagesIn(db, of, ticket)) {
      yield `${comma}\n${JSON.stringify({ ...message, media: withPath(message.media) })}`
      comma = ','
    }
    yield ']}'
    before = ','
  }
  yield ']}\n'
}

const localTime = (zone: string, at: Date): string => `${dayIn(zone, at)} ${timeIn(zone, at)} (${zone})`
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign]!)
const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}
dt{font-weight:600}h2{margin-top:2em}li{margin:.5em 0;white-space:pre-wrap;overflow-wrap:anywhere}small{color:#666}img{max-width:20em;max-height:20em;display:block}`

async function* html(db: Kysely<Database>, of: Of, contact: Contact): AsyncGenerator<string> {
  const { language, zone } = of
  const t = (key: Parameters<typeof archiveText>[0], values?: Record<string, string>) => escaped(archiveText(key, language, values))
  const at = (moment: string) => escaped(localTime(zone, new Date(moment)))
  yield `<!doctype html><html lang="${escaped(language)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'">
<title>${t('title')}</title><style>${style}</style><h1>${t('title')}</h1><p>${t('made', { at: localTime(zone, new Date(of.at)) })}</p><p>${t('contents')}</p><dl>`
  const { name, number, email, channel, tags, createdAt, lgpdAcceptedAt, extraInfo, picture } = contact
  const pairs: [string, string][] = [
    ...(
      [
        ['name', name],
        ['number', number],
        ['email', email],
        ['channel', channel],
        ['tags', tags.join(', ')],
      ] as const
    ).map(([key, value]): [string, string] => [t(key), escaped(value)]),
    [t('createdAt'), at(createdAt)],
    ...(lgpdAcceptedAt ? [[t('consent'), at(lgpdAcceptedAt)] as [string, string]] : []),
    ...extraInfo.map((info): [string, string] => [escaped(info.name), escaped(info.value)]),
    ...(picture ? [[t('picture'), fileHtml(picture)] as [string, string]] : []),
  ]
  yield `${pairs.map(([title, value]) => `<dt>${title}</dt><dd>${value}</dd>`).join('')}</dl>`
  let isEmpty = true
  for await (const ticket of ticketsOf(db, of)) {
    isEmpty = false
    yield `<h2>${t('ticket', { id: String(ticket.id) })} <small>${at(ticket.createdAt)}</small></h2>`
    if (isOwn(of, ticket) && ticket.nps !== null) yield `<p>${t('rating')}: ${ticket.nps}</p>`
    for (const note of await notesOf(db, of, ticket))
      yield `<p><b>${t('note')}</b> <small>${at(note.createdAt)}</small> ${escaped(note.note)}</p>`
    yield '<ol>'
    for await (const message of messagesIn(db, of, ticket)) {
      const who = message.isPrivate ? t('internal') : message.fromMe ? t('us') : escaped(name)
      const mark = message.deletedBy === null ? '' : ` <small>(${t('deleted')})</small>`
      const parts = [
        escaped(message.body),
        ...(message.vCard ? [escaped(message.vCard)] : []),
        ...(message.media ? [fileHtml(message.media)] : []),
      ]
      yield `<li><b>${who}</b> <small>${at(message.createdAt)}</small>${mark}\n${parts.filter((part) => part !== '').join('\n')}</li>`
    }
    yield '</ol>'
  }
  if (isEmpty) yield `<p>${t('none')}</p>`
  yield '</html>\n'
}
function fileHtml(file: File): string {
  const path = pathOf(file).split('/').map(encodeURIComponent).join('/')
  const image = /^image\/(jpeg|png|webp|gif)$/.test(file.mime) ? `<img src="${path}" alt="">` : ''
  return `<a href="${path}">${image}${escaped(file.name || pathOf(file))}</a>`
}
