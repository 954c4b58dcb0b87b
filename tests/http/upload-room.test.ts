import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sweepOrphanedUploads } from '#app/message/orphaned-uploads.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { type Answer, startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { openScene, type Scene, type Ticket } from './scene.ts'

/* F16: permission is checked before a file is read, storage is limited per company, and unused files are deleted. */
let app: TestApp
let scene: Scene
let ticket: Ticket
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
  ticket = await scene.served()
})
afterAll(() => app.stop())
afterEach(() => room(null))

const megabyte = 1024 * 1024
const says = ({ status, body }: Answer) => [status, body?.error]
const room = (uploadMegabytes: number | null) => app.db.updateTable('plan').set({ uploadMegabytes }).execute()
let n = 0
/** A text with unique content. */
const text = (bytes: number) => Buffer.alloc(bytes, `${n++} abcdefghij `)
function form(files: Buffer[], fields: Record<string, string> = {}): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const content of files) data.append('medias', new Blob([content as never]), 'a.txt')
  return data
}
const send = (files: Buffer[], fields?: Record<string, string>, { who = 'ana', to = ticket }: { who?: Person; to?: Ticket } = {}) =>
  app.as(who)('POST', `/messages/${to.id}`, form(files, fields))
const files = async () => {
  const found = await readdir(path.join(app.ctx.config.dataDir, 'media'), { recursive: true, withFileTypes: true })
  return found.filter((one) => one.isFile()).map(({ name }) => name)
}
const holds = () => app.db.selectFrom('uploadReservation').selectAll().execute()
const rows = async () => (await app.db.selectFrom('media').select('key').execute()).map(({ key }) => key)
async function nothingLeft(before: string[]): Promise<void> {
  expect({ files: (await files()).sort(), rows: (await rows()).sort(), holds: await holds() }).toEqual({
    ...{ files: before.toSorted(), rows: before.toSorted(), holds: [] },
  })
  await eventually(
    () => readdir(app.ctx.uploadDir),
    (left) => left.length === 0,
  )
}
/** Begins an upload of 60 MB, sends a little of it, and returns the response. */
async function begun(at: string, who: Person, fields = ''): Promise<string> {
  const { hostname, port } = new URL(app.url)
  const token = await app.tokenOf(who)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `POST /api${at} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 60000000\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n${fields}--x\r\nContent-Disposition: form-data; name="medias"; filename="a.txt"\r\n\r\naaa`,
      ),
    )
    socket.once('data', (some) => {
      resolve(some.toString())
      socket.destroy()
    })
  })
}

describe('an upload', () => {
  it('needs the permission to answer before the file is read', async () => {
    const before = await files()
    expect(await begun(`/messages/${ticket.id}`, 'bruno')).toMatch(/^HTTP\/1\.1 403 [\s\S]*ERR_NO_PERMISSION/) // bruno sees the ticket, and ana owns it
    const waiting = await scene.waiting()
    expect(await begun(`/messages/${waiting.id}`, 'ana')).toMatch(/^HTTP\/1\.1 400 [\s\S]*ERR_SENDING_WAPP_MSG/)
    await nothingLeft(before)
  })
  it('of an internal note needs only a visible ticket', async () => {
    expect(says(await send([text(10)], { isPrivate: 'true' }, { who: 'bruno' }))).toEqual([200, undefined])
    expect(says(await send([text(10)], {}, { who: 'bruno' }))).toEqual([403, 'ERR_NO_PERMISSION'])
  })
  it('to a simulated customer’s phone needs an existing connection first', async () => {
    expect(await begun(`/sandbox/${app.company.connections.deles}/inbound`, 'admin')).toMatch(/^HTTP\/1\.1 404 [\s\S]*ERR_NO_WAPP_FOUND/)
  })
  it('that repeats a sent file gets the first answer, even if the quota is exhausted now', async () => {
    const own = await scene.served()
    const headers = { 'x-command-id': 'the-same-file-again' }
    const content = text(400_000)
    const first = await app.as('ana')('POST', `/messages/${own.id}`, form([content]), headers)
    await app.as('ana')('PUT', `/tickets/${own.id}`, { status: 'closed' })
    await room(1)
    const again = await app.as('ana')('POST', `/messages/${own.id}`, form([content]), headers)
    expect([first.status, again.status, again.body.messages?.[0].id]).toEqual([200, 200, first.body.messages[0].id])
    expect(await holds()).toEqual([])
  })
})

describe('a refused upload', () => {
  it('leaves neither file nor row, whatever the reason', async () => {
    await scene.message(ticket, 'admin')
    const before = await files()
    expect(says(await send([text(50_000), text(50_000)], { seen: '0' }))).toEqual([409, 'ERR_TICKET_CHANGED'])
    expect(says(await send([text(50_000), Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)])]))).toEqual([415, 'ERR_UNSUPPORTED_MEDIA'])
    expect(says(await send([text(50_000)], { quotedMsg: '{"id":2147483647}' }))).toEqual([404, 'ERR_FETCH_WAPP_MSG'])
    const at = `/sandbox/${app.company.connections.loja}/inbound`
    const said = { id: 'edit-with-file', from: '5511977770001', name: 'Zeca', edits: 'x' }
    const data = `data:text/plain;base64,${text(900).toString('base64')}`
    expect(says(await app.as('admin')('POST', at, { ...said, mediaUrl: data }))).toEqual([400, 'ERR_INVALID_INPUT'])
    expect(says(await app.as('admin')('POST', at, form([text(900)], said)))).toEqual([400, 'ERR_INVALID_INPUT'])
    await nothingLeft(before)
  })
  it('never deletes the equal file of another message', async () => {
    const same = text(20_000)
    const { body } = await send([same])
    await scene.message(ticket, 'admin')
    expect((await send([same], { seen: '0' })).status).toBe(409)
    expect((await app.stranger('GET', body.messages[0].mediaUrl)).status).toBe(200)
    expect(await holds()).toEqual([])
  })
})

describe('the storage quota of a company (A-PLAN-01)', () => {
  const used = async (companyId = app.company.companies.casa) => {
    const own = await app.db.selectFrom('media').select(['size', 'byPeople']).where('companyId', '=', companyId).execute()
    return own.filter(({ byPeople }) => byPeople).reduce((sum, { size }) => sum + size, 0)
  }
  it('refuses uploads of its users with a clear error, and no inbound file', async () => {
    await send([text(megabyte - (await used()) - 200_000)])
    await room(1)
    const before = await files()
    const much = text(300_000)
    expect(says(await send([much]))).toEqual([413, 'ERR_UPLOAD_QUOTA'])
    await nothingLeft(before)
    const inbound = await app.as('admin')(
      'POST',
      `/sandbox/${app.company.connections.loja}/inbound`,
      form([much], { id: 'with-file', from: '5511977770002', name: 'Zeca' }),
    )
    expect(inbound.status).toBe(202)
    expect(says(await send([text(300_000)], {}, { who: 'rita', to: scene.theirs.ticket }))).toEqual([200, undefined]) // another company has its own quota
    expect(says(await send([text(100_000)]))).toEqual([200, undefined])
    const words = await app.as('ana')('POST', `/messages/${ticket.id}`, form([much]), { 'accept-language': 'en' })
    expect(words.body.message).toMatch(/^The company’s space for uploaded files is used up/)
  })
  it('stops reading a file at the limit, and reads nothing if no space is left', async () => {
    await room(1)
    const left = megabyte - (await used())
    expect(left).toBeGreaterThan(50_000)
    expect(says(await send([text(left + 200_000)]))).toEqual([413, 'ERR_UPLOAD_QUOTA'])
    await send([text(left)])
    expect(await used()).toBe(megabyte)
    expect(await begun(`/messages/${ticket.id}`, 'ana')).toMatch(/^HTTP\/1\.1 413 [\s\S]*ERR_UPLOAD_QUOTA/)
    expect(says(await app.as('ana')('POST', `/messages/${ticket.id}`, { body: 'Só palavras' }))).toEqual([200, undefined])
  })
  it('is not exceeded by simultaneous uploads', async () => {
    const megabytes = Math.ceil((await used()) / megabyte) + 1
    await room(megabytes)
    const left = megabytes * megabyte - (await used())
    const sent = await Promise.all(Array.from({ length: 6 }, () => send([text(Math.ceil(left / 3))])))
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 413, 413, 413, 413])
    expect(await used()).toBeLessThanOrEqual(megabytes * megabyte)
  })
  it('counts an equal file once, and frees its space when the ticket is deleted', async () => {
    const own = await scene.served()
    const before = await used()
    const content = text(123_456)
    await send([content], {}, { to: own })
    await send([content], {}, { to: own })
    expect(await used()).toBe(before + 123_456)
    expect((await app.as('admin')('DELETE', `/tickets/${own.id}`)).status).toBeLessThan(300)
    await eventually(used, (now) => now === before)
  })
  it('uses the configured default without a plan value, and 0 means no limit', async () => {
    const plain = await startTestApp({ config: { uploadQuotaMb: 1 } })
    try {
      const own = await (await openScene(plain)).served()
      const upload = (bytes: number) => plain.as('ana')('POST', `/messages/${own.id}`, form([text(bytes)]))
      expect((await upload(900_000)).status).toBe(200)
      expect(says(await upload(900_000))).toEqual([413, 'ERR_UPLOAD_QUOTA'])
      await plain.db.updateTable('plan').set({ uploadMegabytes: 0 }).execute()
      expect((await upload(900_000)).status).toBe(200)
    } finally {
      await plain.stop()
    }
  })
})

describe('a file that a dead process left behind', () => {
  const key = 'ab'.repeat(32)
  const hold = (row: { key: string; ticketId: number | null; at?: string }) =>
    app.db
      .insertInto('uploadReservation')
      .values({ id: crypto.randomUUID(), companyId: app.company.companies.casa, size: 5, byPeople: true, ...row })
      .execute()
  const old = new Date(Date.now() - 2 * 3_600_000).toISOString()

  it('is deleted after an hour unless an event refers to it', async () => {
    const { body } = await send([text(700)])
    const sent = /[0-9a-f]{64}/.exec(body.messages[0].mediaUrl)![0]
    await app.db.updateTable('media').set({ named: false }).where('key', '=', sent).execute()
    await hold({ key: sent, ticketId: ticket.id, at: old }) // the file was written, and the process died before it stored the event
    await app.db
      .insertInto('media')
      .values({ companyId: app.company.companies.casa, key, mime: 'text/plain', size: 5, named: false })
      .execute()
    await hold({ key, ticketId: ticket.id, at: old })
    await sweepOrphanedUploads(app.ctx)
    expect(await holds()).toEqual([])
    expect(await rows()).not.toContain(key)
    expect((await app.stranger('GET', body.messages[0].mediaUrl)).status).toBe(200)
    expect(await app.db.selectFrom('media').select('named').where('key', '=', sent).executeTakeFirst()).toEqual({ named: true })
  })
  it('stays inaccessible if it was withdrawn meanwhile', async () => {
    const { body } = await send([text(710)])
    const sent = /[0-9a-f]{64}/.exec(body.messages[0].mediaUrl)![0]
    await app.db.updateTable('media').set({ named: false }).where('key', '=', sent).execute()
    await hold({ key: sent, ticketId: ticket.id, at: old })
    await app.ctx.media.withdraw(app.company.companies.casa, sent)
    await sweepOrphanedUploads(app.ctx)
    expect([await holds(), await rows()]).toEqual([[], expect.arrayContaining([sent])])
    expect((await app.stranger('GET', body.messages[0].mediaUrl)).status).toBe(404)
  })
  it('is kept while its upload may still be running', async () => {
    const file = { companyId: app.company.companies.casa, key, mime: 'text/plain', size: 5, named: false }
    await app.db.insertInto('media').values(file).execute()
    await hold({ key, ticketId: ticket.id })
    await sweepOrphanedUploads(app.ctx)
    expect(await rows()).toContain(key)
    await sweepOrphanedUploads(app.ctx, -1000)
    expect(await rows()).not.toContain(key)
  })
  it('of a customer is kept while the phone or the inbound journal refers to it', async () => {
    const at = `/sandbox/${app.company.connections.loja}/inbound`
    const content = text(800)
    await app.as('admin')('POST', at, form([content], { id: 'kept-file', from: '5511977770003', name: 'Zeca' }))
    await app.settled()
    const { media } = await app.db.selectFrom('sandboxMessage').select('media').where('id', '=', 'kept-file').executeTakeFirstOrThrow()
    await app.db.updateTable('media').set({ named: false }).where('key', '=', media!.key).execute()
    await hold({ key: media!.key, ticketId: null, at: old })
    await sweepOrphanedUploads(app.ctx)
    expect(await rows()).toContain(media!.key)
    expect(await holds()).toEqual([])
  })
})
