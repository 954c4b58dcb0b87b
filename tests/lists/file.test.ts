import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepOrphanedUploads } from '#app/message/orphaned-uploads.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
let count = 0
/** A quick reply of Ana with this file, as a form sends it. */
function form(fields: Record<string, string>, ...files: [content: Buffer | string, name: string][]): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const [content, name] of files) data.append('file', new Blob([content as never]), name)
  return data
}
const named = () => ({ shortcode: `oi${++count}`, message: 'Olá' })
const ask = (method: string, at: string, body?: unknown, headers?: Record<string, string>) => app.as('ana')(method, at, body, headers)
const made = async (content: Buffer | string, name: string) =>
  (await ask('POST', '/quick-messages', form(named(), [content, name]))).body as { id: number; mediaPath: string; version: number }
const onDisk = async () => {
  const all = await readdir(path.join(app.ctx.config.dataDir, 'media'), { recursive: true, withFileTypes: true })
  return all.filter((one) => one.isFile()).map(({ name }) => name)
}
const keyOf = ({ mediaPath }: { mediaPath: string }) => /\/([0-9a-f]{64})\//.exec(mediaPath)![1]!
const text = async (at: string) => (await app.stranger('GET', at)).body

describe('a file of a list row', () => {
  it('is stored with its row, shown at a signed address, and updated live', async () => {
    const line = await app.socket('ana')
    const { status, body } = await ask('POST', '/quick-messages', form({ ...named(), geral: 'true' }, [png, '..\\foto\u202e.exe']))
    expect([status, body.geral, body.isMedia, body.mediaName]).toEqual([200, true, true, 'foto.png'])
    const shown = await app.stranger('GET', body.mediaPath)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await app.stranger('GET', body.mediaPath.replace('/media/1/', '/media/2/'))).status).toBe(404)
    for (const at of ['/quick-messages', '/quick-messages/list', `/quick-messages/${body.id}`])
      expect(JSON.stringify((await app.as('bruno')('GET', at)).body)).toContain(body.mediaPath)
    expect(JSON.stringify((await app.as('root')('GET', '/quick-messages/list')).body)).not.toContain('foto.png')
    await expect
      .poll(() => line.frames.findLast(({ channel }: any) => channel.endsWith('-quickmessage')))
      .toMatchObject({ record: { id: body.id, mediaPath: body.mediaPath } })
    const { changes } = (await app.as('dulce')('GET', `/audit?list=quickMessage&rowId=${body.id}`)).body
    expect(changes[0].after.media).toMatchObject({ name: 'foto.png' })
  })

  it('is replaced with the row’s version, and the old file is deleted', async () => {
    const row = await made('Primeiro', 'a.txt')
    const late = await ask('PUT', `/quick-messages/${row.id}`, form({ version: '9' }, ['Segundo', 'b.txt']))
    expect([late.status, late.body.error]).toEqual([409, 'ERR_ROW_CHANGED'])
    const { body } = await ask('PUT', `/quick-messages/${row.id}`, form({ version: '1', message: 'Novo' }, ['Segundo', 'b.txt']))
    expect(body).toMatchObject({ message: 'Novo', mediaName: 'b.txt', version: 2 })
    expect(await text(body.mediaPath)).toBe('Segundo')
    expect((await app.stranger('GET', row.mediaPath)).status).toBe(404)
    const files = await onDisk()
    expect([files.includes(keyOf(body)), files.includes(keyOf(row))]).toEqual([true, false])
    expect((await ask('PUT', `/quick-messages/${row.id}`, { message: 'Só o texto' })).body.mediaName).toBe('b.txt')
  })

  it('is removed by its own call, by an edit, and with its row', async () => {
    const [one, two, three] = [await made('um', '1.txt'), await made('dois', '2.txt'), await made('três', '3.txt')]
    expect((await ask('DELETE', `/quick-messages/${one.id}/media-upload`)).status).toBe(204)
    expect((await ask('PUT', `/quick-messages/${two.id}`, { removeFile: true })).body).toMatchObject({ isMedia: false, mediaPath: null })
    expect((await ask('DELETE', `/quick-messages/${three.id}`)).status).toBe(204)
    for (const row of [one, two, three]) expect((await app.stranger('GET', row.mediaPath)).status).toBe(404)
    const files = await onDisk()
    expect([one, two, three].filter((row) => files.includes(keyOf(row)))).toEqual([])
    expect((await ask('GET', `/quick-messages/${one.id}`)).body).toMatchObject({ isMedia: false, mediaName: null })
  })

  it('is kept while another row or a message uses it', async () => {
    const [one, two] = [await made('igual', '1.txt'), await made('igual', '2.txt')]
    await ask('DELETE', `/quick-messages/${one.id}`)
    expect(await text(two.mediaPath)).toBe('igual')
    const { body: ticket } = await ask('POST', '/tickets', { contactId: app.company.contacts.joao, queueId: app.company.queues.vendas })
    const sent = new FormData()
    sent.append('medias', new Blob(['igual']), 'c.txt')
    const { body } = await ask('POST', `/messages/${ticket.id}`, sent)
    await ask('DELETE', `/quick-messages/${two.id}`)
    expect(await text(body.messages[0].mediaUrl)).toBe('igual')
    const kept = await made('igual', '4.txt')
    await app.as('admin')('DELETE', `/tickets/${ticket.id}`)
    await app.settled()
    expect(await text(kept.mediaPath)).toBe('igual')
  })

  it('is deleted after a crash unless a row uses it', async () => {
    const row = await made('ficou', 'f.txt')
    const { id: companyId } = { id: app.company.companies.casa }
    const hold = (key: string) =>
      app.db
        .insertInto('uploadReservation')
        .values({ id: crypto.randomUUID(), companyId, key, ticketId: null, size: 0, byPeople: true, at: '2020-01-01T00:00:00.000Z' })
        .execute()
    await hold(keyOf(row)) // the process died between the row and the answer
    await sweepOrphanedUploads(app.ctx)
    expect(await text(row.mediaPath)).toBe('ficou')
    await app.db.deleteFrom('rowFile').where('key', '=', keyOf(row)).execute() // the process died before the row
    await app.db.updateTable('media').set({ named: false }).where('key', '=', keyOf(row)).execute()
    await hold(keyOf(row))
    await sweepOrphanedUploads(app.ctx)
    expect(await onDisk()).not.toContain(keyOf(row))
  })

  it.each([
    ['a program', [Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 'foto.png'], 415],
    ['too large for its kind', [Buffer.concat([png, Buffer.alloc(17 * 1024 * 1024)]), 'foto.png'], 413],
    ['empty', ['', 'nada.txt'], 400],
  ] as [string, [Buffer | string, string], number][])('that is %s is refused, and nothing is saved', async (_, file, status) => {
    const before = (await ask('GET', '/quick-messages')).body.records.length
    const no = await ask('POST', '/quick-messages', form(named(), file))
    expect(no.status).toBe(status)
    expect((await ask('GET', '/quick-messages')).body.records.length).toBe(before)
    expect((await app.db.selectFrom('uploadReservation').select('id').execute()).length).toBe(0)
  })
  it('is single, and refused for a row that the user may not edit', async () => {
    expect((await ask('POST', '/quick-messages', form(named(), ['a', '1.txt'], ['b', '2.txt']))).status).toBe(400)
    const { adminOnly } = app.company.replies
    expect((await ask('PUT', `/quick-messages/${adminOnly}`, form({}, ['a', '1.txt']))).body.error).toBe('ERR_NO_QUICK_MESSAGE_FOUND')
    expect(await onDisk()).not.toContain('a')
    expect((await app.db.selectFrom('uploadReservation').select('id').execute()).length).toBe(0)
  })
  it('is stored once if the call is repeated', async () => {
    const headers = { 'x-command-id': crypto.randomUUID() }
    const body = named()
    const both = [await ask('POST', '/quick-messages', form(body, ['um', 'u.txt']), headers)]
    both.push(await ask('POST', '/quick-messages', form(body, ['um', 'u.txt']), headers))
    expect(both.map(({ status, body: { id } }) => [status, id])).toEqual([
      [200, both[0]!.body.id],
      [200, both[0]!.body.id],
    ])
  })
})
