import { readdir, utimes } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepUploads } from '#app/http/uploads.ts'
import { dayMs, hourMs } from '#domain/duration/rules.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { type Answer, startTestApp, type TestApp } from '#tests/support/server.ts'
import { openScene, type Ticket } from './scene.ts'

let app: TestApp
let ticket: Ticket
beforeAll(async () => {
  app = await startTestApp()
  ticket = await (await openScene(app)).served()
})
afterAll(() => app.stop())

const megabyte = 1024 * 1024
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
let key: string
beforeEach(() => {
  key = crypto.randomUUID()
})

async function add(content: Buffer | string, position: number | string, { who = 'ana' as Person, as = key, type = 'text/plain' } = {}) {
  const form = new FormData()
  form.append('key', as)
  form.append('position', String(position))
  form.append('part', new Blob([content as never], { type }), 'part')
  const { status, body } = await app.as(who)('POST', '/uploads', form)
  return [status, body.bytes ?? body.error]
}
function call(arrived: unknown, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('arrivedFiles', typeof arrived === 'string' ? arrived : JSON.stringify(arrived))
  return app.as('ana')('POST', `/messages/${ticket.id}`, form)
}
const file = (size: number, more: object = {}) => ({ key, field: 'medias', name: 'relatório.txt', size, type: 'text/plain', ...more })
const says = ({ status, body }: Answer) => [status, body?.error]
const partsOf = async () => (await readdir(app.ctx.uploadDir)).filter((name) => name.includes(key))

describe('a file that arrives in parts (A-UPLOAD-01)', () => {
  it('is sent whole, also if parts are repeated or arrive in another order', async () => {
    expect(await add('0123', 0)).toEqual([200, 4])
    expect(await add('0123', 0)).toEqual([200, 4])
    expect(await add('89', 8)).toEqual([200, 4])
    expect(await Promise.all([add('4567', 4), add('4567', 4)])).toEqual([
      [200, 8],
      [200, 8],
    ])
    expect(await add('89', 8)).toEqual([200, 10])
    const { status, body } = await call([file(10)], { body: 'segue' })
    expect([status, body.messages.length, body.messages[0].body]).toEqual([200, 1, 'segue'])
    expect(body.messages[0].media).toMatchObject({ name: 'relatório.txt', size: 10 })
    expect((await app.stranger('GET', body.messages[0].mediaUrl)).body).toBe('0123456789')
    expect(await readdir(app.ctx.uploadDir)).toEqual([])
  })
  it('has no parts left after it was sent', async () => {
    await add('0123', 0)
    await call([file(4)])
    expect(await add('4567', 4)).toEqual([200, 0])
    expect(await partsOf()).toEqual([])
  })
  it('is not sent while a part is missing, and loses nothing', async () => {
    await add('0123', 0)
    expect(says(await call([file(8)]))).toEqual([409, 'ERR_UPLOAD_INCOMPLETE'])
    expect(says(await call([file(4), file(4, { key: crypto.randomUUID() })]))).toEqual([409, 'ERR_UPLOAD_INCOMPLETE'])
    expect(await add('4567', 4)).toEqual([200, 8])
    expect((await call([file(8)])).status).toBe(200)
  })
  it('belongs to its user', async () => {
    await add('0123', 0, { who: 'bruno' })
    expect(says(await call([file(4)]))).toEqual([409, 'ERR_UPLOAD_INCOMPLETE'])
    expect(await add('4567', 4)).toEqual([200, 0])
  })
  it('has the size limit of its kind, at each part and in the call', async () => {
    const part = Buffer.concat([png, Buffer.alloc(15 * megabyte)])
    expect(await add(part, 0, { type: 'image/png' })).toEqual([200, part.length])
    expect(await add(Buffer.alloc(megabyte), part.length, { type: 'image/png' })).toEqual([413, 'ERR_TOO_LARGE'])
    expect(await partsOf()).toEqual([])
  })
  it.each<[string, unknown]>([
    ['no JSON', '{'],
    ['no list', { key: 'a' }],
    ['an empty list', []],
    ['a path for a key', [{ ...file(4), key: '../../etc/passwd' }]],
    ['no size', [{ ...file(4), size: '4' }]],
    ['too many files', Array.from({ length: 21 }, () => file(4))],
  ])('is refused with %s', async (_, arrived) => {
    expect(says(await call(arrived))).toEqual([400, 'ERR_INVALID_INPUT'])
  })
  it.each([-1, 1.5, 'x', ''])('a part at the position “%s” is refused', async (position) => {
    expect(await add('0123', position)).toEqual([400, 'ERR_INVALID_INPUT'])
  })
  it('a part with a path for a key, or without content, is refused', async () => {
    expect(await add('0123', 0, { as: '../x' })).toEqual([400, 'ERR_INVALID_INPUT'])
    expect(says(await app.as('ana')('POST', '/uploads', { key, position: 0 }))).toEqual([400, 'ERR_INVALID_INPUT'])
    expect(await add('', 0)).toEqual([200, 0])
  })
  it('can go on for a day after its last part', async () => {
    await add('0123', 0)
    const [name] = await partsOf()
    const from = (ms: number) => utimes(path.join(app.ctx.uploadDir, name!), new Date(), new Date(Date.now() - ms))
    await from(2 * hourMs)
    await sweepUploads(app.ctx.uploadDir)
    expect(await partsOf()).toEqual([name])
    await from(dayMs + hourMs)
    await sweepUploads(app.ctx.uploadDir)
    expect(await partsOf()).toEqual([])
  })
})
