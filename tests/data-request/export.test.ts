import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openZip } from '#app/contact-import/zip.ts'
import { exportPerson } from '#app/data-request/export.ts'
import { removeExpiredExports } from '#app/data-request/export-files.ts'
import { createZip } from '#app/storage/zip-writer.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { closeAll, fillEveryPlace, name, number, sentinel } from './person.ts'

let app: TestApp
let folder: string
let contactId: number
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(path.join(tmpdir(), 'guiche-export-'))
  contactId = (await fillEveryPlace(app)).contactId
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await app?.stop()
})

const admin = (method: string, at: string, body?: object) => app.as('admin')(method, at, body)
const requests = async () => (await admin('GET', `/data-requests?contactId=${contactId}`)).body.requests
async function archiveOf(id: number): Promise<string> {
  const answer = await fetch(`${app.url}/api/data-requests/${id}/file`, {
    headers: { authorization: `Bearer ${await app.tokenOf('admin')}` },
  })
  expect(answer.status).toBe(200)
  const at = path.join(folder, `${id}.zip`)
  await writeFile(at, Buffer.from(await answer.arrayBuffer()))
  return at
}
async function textIn(at: string, entry: string): Promise<string> {
  const parts: string[] = []
  for await (const part of (await openZip(at)).text(entry, 1_000_000)) parts.push(part)
  return parts.join('')
}

it('the archive holds everything about the person: overview, data and files (A-ERASE-07)', async () => {
  const [{ id, state, expiresAt, size }] = await requests()
  expect([state, size > 0, Date.parse(expiresAt) > Date.now()]).toEqual(['done', true, true])
  const at = await archiveOf(id)
  const data = JSON.parse(await textIn(at, 'data.json'))
  expect(data.contact).toMatchObject({ name, number, extraInfo: [{ value: `mãe de ${name}` }] })
  expect(data.tickets).toHaveLength(2)
  expect(data.tickets[0].notes).toMatchObject([{ note: `nota sobre ${name}` }])
  const messages = data.tickets.flatMap((ticket: { messages: object[] }) => ticket.messages)
  expect(messages.map(({ body }: { body: string }) => body)).toEqual(
    expect.arrayContaining([`Sou a ${name}`, `legenda ${name}`, `interno ${name}`, `de novo ${name}`]),
  )
  const files = messages.flatMap(({ media }: { media: { file: string; name: string } | null }) => media ?? [])
  expect(files.map((file: { name: string }) => file.name)).toEqual([`${sentinel}.txt`, `contrato ${sentinel}.txt`])
  expect(await textIn(at, files[0].file)).toBe(`arquivo ${sentinel}`)
  const page = await textIn(at, 'index.html')
  for (const text of [name, number, `Sou a ${name}`, `nota sobre ${name}`]) expect(page).toContain(text)
})

it('a text of the person cannot become part of the page', async () => {
  await app.db
    .updateTable('contact')
    .set({ extraInfo: JSON.stringify([{ id: 1, name: '<b>', value: '<script>x</script>' }]) })
    .where('id', '=', contactId)
    .execute()
  await admin('POST', `/contacts/${contactId}/export`)
  await app.settled()
  expect(await textIn(await archiveOf((await requests())[0].id), 'index.html')).toContain('&lt;script&gt;x&lt;/script&gt;')
})

it('only admins may export and download, and each export is on record', async () => {
  const [{ id }] = await requests()
  for (const [method, at] of [
    ['POST', `/contacts/${contactId}/export`],
    ['GET', `/data-requests/${id}/file`],
  ] as const)
    expect((await app.as('ana')(method, at)).status).toBe(403)
  const entries = app.db.selectFrom('securityEvent').select('detail').where('kind', '=', 'exported')
  expect(await entries.execute()).toContainEqual({ detail: { list: 'person', contact: contactId, request: id } })
})

it('the file is removed after seven days', async () => {
  const [{ id }] = await requests()
  await app.db.updateTable('dataRequest').set({ expiresAt: sql`now() - interval '1 minute'` }).where('id', '=', id).execute()
  await removeExpiredExports(app.ctx)
  expect((await admin('GET', `/data-requests/${id}/file`)).body.error).toBe('ERR_NO_DATA_REQUEST_FOUND')
  expect((await requests())[0]).toMatchObject({ id, state: 'expired', size: null })
})

it('an erasure ends an export that is under way, whose later run stores nothing', async () => {
  const before = (await requests()).map(({ id }: { id: number }) => id)
  await closeAll(app, contactId)
  const values = { companyId: app.company.companies.casa, contactId, userId: app.company.users.admin, kind: 'export' as const }
  const { id } = await app.db.insertInto('dataRequest').values(values).returning('id').executeTakeFirstOrThrow()
  const [erasure] = await Promise.all([
    admin('POST', `/contacts/${contactId}/erasure`, { name }),
    exportPerson.run({ requestId: id }, app.ctx),
  ])
  expect(erasure.status).toBe(202)
  await app.settled()
  await exportPerson.run({ requestId: id }, app.ctx)
  for (const one of [...before, id]) expect((await admin('GET', `/data-requests/${one}/file`)).status).toBe(404)
  expect((await admin('POST', `/contacts/${contactId}/export`)).status).toBe(404)
})

it('an archive has 64-bit offsets where it needs them', async () => {
  const at = path.join(folder, 'large.zip')
  const zip = await createZip(at, { largeFrom: 10 })
  await zip.add('a.txt', ['aa'])
  await zip.add('ção/b.txt', [Buffer.from('b'.repeat(1000))], false)
  const size = await zip.end()
  const bytes = await readFile(at)
  expect(bytes.length).toBe(size)
  const end = bytes.length - 22
  expect([bytes.readUInt32LE(end), bytes.readUInt32LE(end + 16), bytes.readUInt32LE(end - 20)]).toEqual([
    0x06054b50, 0xffffffff, 0x07064b50,
  ])
  const large = Number(bytes.readBigUInt64LE(end - 12))
  expect([bytes.readUInt32LE(large), bytes.readBigUInt64LE(large + 32)]).toEqual([0x06064b50, 2n])
  expect(bytes.readUInt32LE(Number(bytes.readBigUInt64LE(large + 48)))).toBe(0x02014b50)
})
