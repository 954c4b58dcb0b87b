import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openZip } from '#app/contact-import/zip.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { closeAll, contactIdOf, isDone } from './person.ts'

/* Ana writes into the ticket of Bia while both are merged. After the undo, each person has their own data again (A-MERGE-01, A-ERASE-07). */
let app: TestApp
let folder: string
let of: { ana: number; bia: number; maria: number; ticketId: number }
const [anasNumber, biasNumber] = ['5511985551001', '5511985551002']
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(path.join(tmpdir(), 'guiche-merged-'))
  of = await mergedForAWhile()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await app?.stop()
})

const admin = (method: string, at: string, body?: object) => app.as('admin')(method, at, body)
async function ok(method: string, at: string, body?: object): Promise<any> {
  const { status, body: answer } = await admin(method, at, body)
  expect([status < 300, answer]).toEqual([true, answer])
  return answer
}
async function say(ticketId: number, body: string, more: object = {}): Promise<void> {
  await ok('POST', `/messages/${ticketId}`, { body, ...more })
  await app.settled()
}
async function writes(number: string, body: string): Promise<void> {
  await app.phone.says(number, body)
  await app.settled()
}
async function sendsFile(number: string, name: string): Promise<void> {
  const body = new FormData()
  for (const [field, value] of Object.entries({ id: crypto.randomUUID(), from: number, name: 'x', body: `legenda ${name}` }))
    body.append(field, value)
  body.append('medias', new Blob([`arquivo ${name}`], { type: 'text/plain' }), `${name}.txt`)
  await ok('POST', `/sandbox/${app.company.connections.balcao}/inbound`, body)
  await app.settled()
}
async function mergedForAWhile(): Promise<typeof of> {
  const { maria } = app.company.contacts
  await writes(anasNumber, 'primeira da Ana')
  const ana = await contactIdOf(app, anasNumber)
  await closeAll(app, ana)
  await writes(biasNumber, 'primeira da Bia')
  const bia = await contactIdOf(app, biasNumber)
  const ticketId = (await app.db.selectFrom('ticket').select('id').where('contactId', '=', bia).executeTakeFirstOrThrow()).id
  await ok('PUT', `/tickets/${ticketId}`, { status: 'open', queueId: app.company.queues.vendas })
  await ok('POST', `/contacts/${ana}/merge`, { targetId: bia })
  await say(ticketId, 'resposta para Bia')
  await writes(anasNumber, 'segredo da Ana, na conversa da Bia')
  await sendsFile(anasNumber, 'contrato-da-ana')
  await say(ticketId, 'resposta para Ana')
  await say(ticketId, 'nota sobre o atendimento', { isPrivate: 'true' })
  const own = app.db.selectFrom('message').select('id').where('ticketId', '=', ticketId).where('body', 'like', 'segredo%')
  await ok('POST', '/message/forward', { messageId: (await own.executeTakeFirstOrThrow()).id, contactId: maria })
  await writes(biasNumber, 'segunda da Bia')
  await sendsFile(biasNumber, 'contrato-da-bia')
  await ok('POST', '/ticket-notes', { ticketId, note: 'observação da Bia' })
  await writes(anasNumber, 'última da Ana')
  await ok('POST', `/contacts/${ana}/separate`, {})
  await app.settled()
  await say(ticketId, 'depois da separação, para Bia')
  return { ana, bia, maria, ticketId }
}
const [anas, bias] = [
  ['segredo da Ana, na conversa da Bia', 'legenda contrato-da-ana', 'resposta para Ana', 'última da Ana'],
  [
    ...['primeira da Bia', 'resposta para Bia', 'nota sobre o atendimento', 'segunda da Bia', 'legenda contrato-da-bia'],
    'depois da separação, para Bia',
  ],
]

type Archive = { tickets: { messages: { body: string; media: { file: string } | null }[]; notes: { note: string }[] }[] }
async function exported(contactId: number): Promise<{ tickets: string[][]; notes: string[]; files: string[]; page: string }> {
  const { id } = await ok('POST', `/contacts/${contactId}/export`)
  await isDone(app, contactId)
  const headers = { authorization: `Bearer ${await app.tokenOf('admin')}` }
  const at = path.join(folder, `${id}.zip`)
  await writeFile(at, Buffer.from(await (await fetch(`${app.url}/api/data-requests/${id}/file`, { headers })).arrayBuffer()))
  const zip = await openZip(at)
  const textIn = async (entry: string) => {
    const parts: string[] = []
    for await (const part of zip.text(entry, 1_000_000)) parts.push(part)
    return parts.join('')
  }
  const data: Archive = JSON.parse(await textIn('data.json'))
  const messages = data.tickets.map((ticket) => ticket.messages)
  return {
    tickets: messages.map((list) => list.map(({ body }) => body)),
    notes: data.tickets.flatMap((ticket) => ticket.notes.map(({ note }) => note)),
    files: await Promise.all(messages.flat().flatMap(({ media }) => (media ? [textIn(media.file)] : []))),
    page: await textIn('index.html'),
  }
}
const bodies = async (ticketId: number): Promise<string[]> =>
  (await ok('GET', `/messages/${ticketId}`)).messages.map(({ body }: { body: string }) => body)

it('an export has what the person wrote in the ticket of the other, with the answers (A-ERASE-07)', async () => {
  const { tickets, notes, files, page } = await exported(of.ana)
  expect(tickets).toEqual([expect.arrayContaining(['primeira da Ana']), anas])
  expect([notes, files]).toEqual([[], ['arquivo contrato-da-ana']])
  for (const text of anas) expect(page).toContain(text)
  for (const text of bias) expect(page).not.toContain(text)
})

it('an export has nothing that another person wrote in the ticket (A-ERASE-07)', async () => {
  const { tickets, notes, files, page } = await exported(of.bia)
  expect(tickets).toEqual([expect.arrayContaining(bias)])
  expect([notes, files]).toEqual([['observação da Bia'], ['arquivo contrato-da-bia']])
  for (const text of anas) expect([tickets.flat().includes(text), page.includes(text)]).toEqual([false, false])
})

it('an erasure takes what the person wrote in the ticket of the other, and no more (A-ERASE-02)', async () => {
  const { counts } = await ok('GET', `/contacts/${of.ana}/erasure`)
  expect(counts).toMatchObject({ tickets: 1, messagesElsewhere: 4 })
  await ok('POST', `/contacts/${of.ana}/erasure`, { name: 'Cliente 1001' })
  await isDone(app, of.ana)
  const left = await bodies(of.ticketId)
  expect(left).toEqual(expect.arrayContaining(bias))
  expect(anas.filter((text) => left.includes(text))).toEqual([])
  for (const text of ['segredo', 'contrato-da-ana', 'resposta para Ana']) {
    const { tickets } = await ok('GET', `/messages/search?searchParam=${encodeURIComponent(text)}`)
    expect([text, tickets]).toEqual([text, []])
  }
  const forwarded = app.db.selectFrom('message').innerJoin('ticket', 'ticket.id', 'message.ticketId').select('body')
  const isForwarded = forwarded.where('ticket.contactId', '=', of.maria).where('isForwarded', '=', true)
  expect(await isForwarded.execute()).toEqual([{ body: '⌫' }])
  const files = app.db.selectFrom('message').select('media').where('ticketId', '=', of.ticketId).where('media', 'is not', null)
  expect((await files.execute()).map(({ media }) => media?.name)).toEqual(['contrato-da-bia.txt'])
  expect((await exported(of.bia)).tickets).toEqual([expect.arrayContaining(bias)])
})
