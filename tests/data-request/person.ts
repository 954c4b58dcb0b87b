import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { decodeEvents } from '#app/event-store/event-codec.ts'
import { storePicture } from '#app/inbound/pictures.ts'
import { prefixOf } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

export const sentinel = 'zq7x-dirce'
export const name = `${sentinel} Souza`
export const number = '5511985550301'
/** The person wrote from this number before a user replaced it. */
const formerNumber = '5511985550311'
export const email = `${sentinel}@exemplo.test`
const card = `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;waid=${number}:+55 11 98555-0301\nEND:VCARD`

/** The middle of a text as base64, for each of the three places at which it may begin. */
const inBase64 = (text: string) => [0, 1, 2].map((skip) => Buffer.from(text.slice(skip)).toString('base64').replace(/=+$/, '').slice(0, -2))
const numbers = [number, '551185550301', '985550301', '98555-0301']
const formerNumbers = ['985550311', '1185550311', ...inBase64(formerNumber)]
const needles = [sentinel, ...numbers.slice(2), '1185550301', ...formerNumbers, ...inBase64(number), Buffer.from(sentinel).toString('hex')]
const isIn = (text: string) => needles.some((needle) => text.includes(needle))

/** Postgres’ code for a table that was dropped meanwhile. */
const dropped = '42P01'
/** Where the person is still found: tables, events as the product opens them, and files. */
export async function placesOfPerson(app: TestApp): Promise<string[]> {
  const found: string[] = []
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')`.execute(app.db)
  for (const { schema, name } of tables) {
    const read = sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.id(schema, name)} t`.execute(app.db)
    const { rows } = await read.catch((error: { code?: string }) => (error.code === dropped ? { rows: [] } : Promise.reject(error)))
    for (const { row } of rows) if (isIn(row)) found.push(`${schema}.${name}: ${row.slice(0, 300)}`)
  }
  for await (const { events, caughtUp } of app.ctx.eventStore.subscribe(null, prefixOf(ticketStream), new AbortController().signal)) {
    for (const event of await decodeEvents(ticketStream, events, app.ctx.contactKeys)) {
      const text = JSON.stringify({ ...event, position: 0 })
      if (isIn(text)) found.push(`event ${text.slice(0, 300)}`)
    }
    if (caughtUp) break
  }
  const folder = app.ctx.config.dataDir
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile() && isIn(`${file.name} ${await readFile(path.join(file.parentPath, file.name), 'latin1')}`))
      found.push(`file ${file.name}`)
  return found
}
export const isInText = isIn

const form = (fields: Record<string, string>, fileName: string, content: string) => {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.append(field, value)
  body.append('medias', new Blob([content], { type: 'text/plain' }), fileName)
  return body
}

/** Gives the contact a profile picture, as its network would. */
export async function showPicture(app: TestApp, contactId: number, name: string): Promise<void> {
  const { companyId, at } = { companyId: app.company.companies.casa, at: path.join(app.ctx.config.dataDir, crypto.randomUUID()) }
  await writeFile(at, `picture of ${name}`)
  const { size } = await stat(at)
  const picture = await app.ctx.media.store(
    companyId,
    { field: 'medias', name: `${name}.txt`, path: at, size, claims: 'text/plain' },
    'customer',
  )
  await storePicture({ companyId, contactId }, picture, app.ctx)
  await rm(at, { force: true })
}

async function ok(answer: Promise<{ status: number; body: any }>): Promise<any> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`answered ${status} ${JSON.stringify(body)}`)
  return body
}

export async function contactIdOf(app: TestApp, phone: string): Promise<number> {
  const row = app.db.selectFrom('contact').select('id').where('number', '=', phone).where('deletedAt', 'is', null)
  return (await row.executeTakeFirstOrThrow()).id
}
export async function closeAll(app: TestApp, contactId: number): Promise<void> {
  await app.settled()
  const active = app.db.selectFrom('ticket').select(['id', 'status']).where('contactId', '=', contactId).where('status', '<>', 'closed')
  for (const { id, status } of await active.execute()) {
    if (status === 'pending') await ok(app.as('admin')('PUT', `/tickets/${id}`, { status: 'open', queueId: app.company.queues.vendas }))
    await ok(app.as('admin')('PUT', `/tickets/${id}`, { status: 'closed' }))
  }
  await app.settled()
}

/** Waits until the newest erasure or export of a contact has ended. */
export const isDone = (app: TestApp, contactId: number) =>
  eventually(
    async () => (await app.as('admin')('GET', `/data-requests?contactId=${contactId}`)).body.requests[0]?.state,
    (state) => state === 'done',
  )

/** Writes the person into every place that the product has. Returns the contact, its first ticket and the ticket of somebody else. */
export async function fillEveryPlace(app: TestApp): Promise<{ contactId: number; ticketId: number; otherTicketId: number }> {
  const { admin, ana } = { admin: app.as('admin'), ana: app.as('ana') }
  const { connections, companies, queues, contacts } = app.company
  const inbound = (body: unknown) => ok(admin('POST', `/sandbox/${connections.balcao}/inbound`, body))
  const first = crypto.randomUUID()
  await app.phone.says(formerNumber, 'oi', { name })
  await app.settled()
  await ok(admin('PUT', `/contacts/${await contactIdOf(app, formerNumber)}`, { number }))
  await app.phone.says(number, `Sou a ${name}`, { name, id: first })
  await inbound(form({ id: crypto.randomUUID(), from: number, name, body: `legenda ${name}` }, `${sentinel}.txt`, `arquivo ${sentinel}`))
  await app.settled()
  const contactId = await contactIdOf(app, number)
  const ticketId = (await app.db.selectFrom('ticket').select('id').where('contactId', '=', contactId).executeTakeFirstOrThrow()).id
  const { version } = await ok(admin('GET', `/contacts/${contactId}`))
  await ok(admin('PUT', `/contacts/${contactId}`, { version, email, extraInfo: [{ name: 'Nome da mãe', value: `mãe de ${name}` }] }))
  await ok(ana('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: queues.vendas }))
  await ok(ana('POST', '/ticket-notes', { ticketId, note: `nota sobre ${name}` }))
  await ok(ana('POST', `/messages/${ticketId}`, { body: `Bom dia ${name}` }))
  await ok(ana('POST', `/messages/${ticketId}`, { body: `interno ${name}`, isPrivate: 'true' }))
  await ok(ana('POST', `/messages/${ticketId}`, form({ body: `anexo ${name}` }, `contrato ${sentinel}.txt`, `contrato de ${sentinel}`)))
  const received = app.db.selectFrom('message').select('id').where('ticketId', '=', ticketId).where('fromMe', '=', false).orderBy('id')
  for (const { id } of await received.execute()) await ok(ana('POST', '/message/forward', { messageId: id, contactId: contacts.maria }))
  await closeAll(app, contactId)
  await app.phone.says(number, `de novo ${name}`, { name, quotedId: first })
  await closeAll(app, contactId)

  const other = '5511977770001'
  const said = { from: other, name: 'Outro Cliente' }
  await inbound({ ...said, id: crypto.randomUUID(), mediaType: 'contactMessage', body: card })
  await inbound({ ...said, id: crypto.randomUUID(), body: 'ligue para 11 98555-0301' })
  await inbound({ ...said, id: crypto.randomUUID(), body: 'bom dia' })
  const group = { id: '5511900000000-1600000000', name: 'Turma' }
  const inGroup = crypto.randomUUID()
  await inbound({ id: inGroup, from: number, name, body: `no grupo ${name}`, group })
  await inbound({ id: crypto.randomUUID(), from: other, name: 'Outro Cliente', body: 'sim', quotedId: inGroup, group })
  await app.settled()
  const otherTicket = app.db
    .selectFrom('ticket')
    .select('id')
    .where('contactId', '=', await contactIdOf(app, other))
  const otherTicketId = (await otherTicket.executeTakeFirstOrThrow()).id

  const upload = (who: 'admin' | 'ana', rows: string, fileName: string) => {
    const body = new FormData()
    body.append('file', new Blob([rows]), fileName)
    return ok(app.as(who)('POST', '/contacts/upload', body))
  }
  const table = await upload('admin', `nome;numero\n${name};123\n${name};${number}\n`, `${name}.csv`)
  await ok(admin('POST', `/contacts/upload/${table.id}/begin`, { existing: 'keep' }))
  await upload('ana', `nome;numero\nBia Lima;5511985550302\n${name};+55 (11) 98555-0301\n`, 'outra.csv')
  const people = [{ name, number }]
  await ok(admin('POST', `/sandbox/${connections.loja}/people`, { source: 'book', people }))
  await ok(admin('POST', '/quick-messages', { shortcode: 'dirce', message: `Fale com ${name} em +55 (11) 98555-0301` }))
  await ok(admin('POST', '/ticketreport/filters', { name: `de ${name}`, filter: { period: 'today', searchParam: name }, shared: true }))
  const extraInfo = [
    { name: 'Indicada por', value: `${name}, ${email}, tel. (11) 98555-0301` },
    { name: 'Cidade', value: 'Recife' },
  ]
  await ok(admin('PUT', `/contacts/${contacts.maria}`, { extraInfo }))
  await ok(admin('POST', '/tags', { name: `da ${name}`, color: '#7c3aed' }))
  const list = { name: `Lista da ${name}`, message: `Para ${name}`, options: [{ name: `Capa de ${name}` }] }
  await ok(admin('POST', '/files', { ...list, userId: app.company.users.ana }))
  const key = { connectionId: connections.balcao, companyId: companies.casa, data: Buffer.from('x') }
  await app.db
    .insertInto('waKey')
    .values([
      { ...key, type: 'session', id: `${number}.0` },
      { ...key, type: 'session', id: '5511977770001.0' },
    ])
    .execute()
  await app.db
    .insertInto('inboundEvent')
    .values({
      ...{ companyId: companies.casa, connectionId: connections.balcao, externalId: `wamid.${Buffer.from(number).toString('base64')}` },
      ...{
        conversation: number,
        payload: { type: 'message', body: name } as never,
        refused: 'ERR_TOO_LARGE',
        doneAt: new Date().toISOString(),
      },
    })
    .execute()
  await showPicture(app, contactId, name)
  await ok(admin('POST', `/contacts/${contactId}/export`))
  await app.settled()
  return { contactId, ticketId, otherTicketId }
}
