import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sweepHeldFiles } from '#app/message/orphaned-uploads.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { type Answer, startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { openScene, type Scene, type Ticket } from './scene.ts'

/* F16: who may bring a file is asked before it is read, a company's people have so much room, and what names no fact goes. */
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
/** A text like no other. */
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
/** Begins an upload of 60 MB, sends next to nothing of it, and hears what is said to that. */
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

describe('who brings a file', () => {
  it('is asked for the right to answer before the file is read', async () => {
    const before = await files()
    expect(await begun(`/messages/${ticket.id}`, 'bruno')).toMatch(/^HTTP\/1\.1 403 [\s\S]*ERR_NO_PERMISSION/) // he sees it, and it is ana's
    const waiting = await scene.waiting()
    expect(await begun(`/messages/${waiting.id}`, 'ana')).toMatch(/^HTTP\/1\.1 400 [\s\S]*ERR_SENDING_WAPP_MSG/)
    await nothingLeft(before)
  })
  it('into a conversation as a note needs to see it and no more', async () => {
    expect(says(await send([text(10)], { isPrivate: 'true' }, { who: 'bruno' }))).toEqual([200, undefined])
    expect(says(await send([text(10)], {}, { who: 'bruno' }))).toEqual([403, 'ERR_NO_PERMISSION'])
  })
  it('to a customer’s phone is asked for the connection first', async () => {
    expect(await begun(`/sandbox/${app.company.connections.deles}/inbound`, 'admin')).toMatch(/^HTTP\/1\.1 404 [\s\S]*ERR_NO_WAPP_FOUND/)
  })
  it('is answered again, and not refused, when what was sent already comes once more', async () => {
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

describe('what was refused', () => {
  it('leaves neither file nor row, whatever it was refused for', async () => {
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
  it('never takes the file of another message along that holds the same', async () => {
    const same = text(20_000)
    const { body } = await send([same])
    await scene.message(ticket, 'admin')
    expect((await send([same], { seen: '0' })).status).toBe(409)
    expect((await app.stranger('GET', body.messages[0].mediaUrl)).status).toBe(200)
    expect(await holds()).toEqual([])
  })
})

describe('the room of a company (A-PLAN-01)', () => {
  const used = async (companyId = app.company.companies.casa) => {
    const own = await app.db.selectFrom('media').select(['size', 'byPeople']).where('companyId', '=', companyId).execute()
    return own.filter(({ byPeople }) => byPeople).reduce((sum, { size }) => sum + size, 0)
  }
  it('ends for its people with a refusal that says so, which leaves nothing, and for no customer', async () => {
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
    expect(says(await send([text(300_000)], {}, { who: 'rita', to: scene.theirs.ticket }))).toEqual([200, undefined]) // a neighbour's room is its own
    expect(says(await send([text(100_000)]))).toEqual([200, undefined])
    const words = await app.as('ana')('POST', `/messages/${ticket.id}`, form([much]), { 'accept-language': 'en' })
    expect(words.body.message).toMatch(/^The company’s space for uploaded files is used up/)
  })
  it('is not read beyond its end: where none is left nothing of a file is, where little is left it is cut', async () => {
    await room(1)
    const left = megabyte - (await used())
    expect(left).toBeGreaterThan(50_000)
    expect(says(await send([text(left + 200_000)]))).toEqual([413, 'ERR_UPLOAD_QUOTA'])
    await send([text(left)])
    expect(await used()).toBe(megabyte)
    expect(await begun(`/messages/${ticket.id}`, 'ana')).toMatch(/^HTTP\/1\.1 413 [\s\S]*ERR_UPLOAD_QUOTA/)
    expect(says(await app.as('ana')('POST', `/messages/${ticket.id}`, { body: 'Só palavras' }))).toEqual([200, undefined])
  })
  it('is never taken twice by those who send at once', async () => {
    const megabytes = Math.ceil((await used()) / megabyte) + 1
    await room(megabytes)
    const left = megabytes * megabyte - (await used())
    const sent = await Promise.all(Array.from({ length: 6 }, () => send([text(Math.ceil(left / 3))])))
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 413, 413, 413, 413])
    expect(await used()).toBeLessThanOrEqual(megabytes * megabyte)
  })
  it('counts the same file once, and comes back with a ticket that is deleted', async () => {
    const own = await scene.served()
    const before = await used()
    const content = text(123_456)
    await send([content], {}, { to: own })
    await send([content], {}, { to: own })
    expect(await used()).toBe(before + 123_456)
    expect((await app.as('admin')('DELETE', `/tickets/${own.id}`)).status).toBeLessThan(300)
    await eventually(used, (now) => now === before)
  })
  it('is what the setting says where the plan says nothing, and none where that is 0', async () => {
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

describe('what a process left behind that died', () => {
  const key = 'ab'.repeat(32)
  const hold = (row: { key: string; ticketId: number | null; at?: string }) =>
    app.db
      .insertInto('uploadReservation')
      .values({ id: crypto.randomUUID(), companyId: app.company.companies.casa, size: 5, byPeople: true, ...row })
      .execute()
  const old = new Date(Date.now() - 2 * 3_600_000).toISOString()

  it('goes after an hour where no fact names it, and stays where one does', async () => {
    const { body } = await send([text(700)])
    const sent = /[0-9a-f]{64}/.exec(body.messages[0].mediaUrl)![0]
    await app.db.updateTable('media').set({ named: false }).where('key', '=', sent).execute()
    await hold({ key: sent, ticketId: ticket.id, at: old }) // written, and the process died before it could say so
    await app.db
      .insertInto('media')
      .values({ companyId: app.company.companies.casa, key, mime: 'text/plain', size: 5, named: false })
      .execute()
    await hold({ key, ticketId: ticket.id, at: old })
    await sweepHeldFiles(app.ctx)
    expect(await holds()).toEqual([])
    expect(await rows()).not.toContain(key)
    expect((await app.stranger('GET', body.messages[0].mediaUrl)).status).toBe(200)
    expect(await app.db.selectFrom('media').select('named').where('key', '=', sent).executeTakeFirst()).toEqual({ named: true })
  })
  it('stays out of reach where it was taken back meanwhile', async () => {
    const { body } = await send([text(710)])
    const sent = /[0-9a-f]{64}/.exec(body.messages[0].mediaUrl)![0]
    await app.db.updateTable('media').set({ named: false }).where('key', '=', sent).execute()
    await hold({ key: sent, ticketId: ticket.id, at: old })
    await app.ctx.media.withdraw(app.company.companies.casa, sent)
    await sweepHeldFiles(app.ctx)
    expect([await holds(), await rows()]).toEqual([[], expect.arrayContaining([sent])])
    expect((await app.stranger('GET', body.messages[0].mediaUrl)).status).toBe(404)
  })
  it('is left alone while it may still be on its way', async () => {
    const file = { companyId: app.company.companies.casa, key, mime: 'text/plain', size: 5, named: false }
    await app.db.insertInto('media').values(file).execute()
    await hold({ key, ticketId: ticket.id })
    await sweepHeldFiles(app.ctx)
    expect(await rows()).toContain(key)
    await sweepHeldFiles(app.ctx, -1000)
    expect(await rows()).not.toContain(key)
  })
  it('of a customer’s stays where the phone or the journal has it', async () => {
    const at = `/sandbox/${app.company.connections.loja}/inbound`
    const content = text(800)
    await app.as('admin')('POST', at, form([content], { id: 'kept-file', from: '5511977770003', name: 'Zeca' }))
    await app.settled()
    const { media } = await app.db.selectFrom('sandboxMessage').select('media').where('id', '=', 'kept-file').executeTakeFirstOrThrow()
    await app.db.updateTable('media').set({ named: false }).where('key', '=', media!.key).execute()
    await hold({ key: media!.key, ticketId: null, at: old })
    await sweepHeldFiles(app.ctx)
    expect(await rows()).toContain(media!.key)
    expect(await holds()).toEqual([])
  })
})
