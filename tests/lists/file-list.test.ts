import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf } from '#app/file-list/read.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
const mp3 = Buffer.concat([
  Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x00', 'latin1'),
  Buffer.from([0xff, 0xfb, 0x90, 0x00]),
  Buffer.alloc(2000),
])
const mp4 = Buffer.concat([Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex'), Buffer.alloc(100)])
const pdf = Buffer.from('%PDF-1.4\n%âãÏÓ\n')
const larger = (file: Buffer, megabytes: number) => Buffer.concat([file, Buffer.alloc(megabytes * 1024 * 1024)])

type List = { id: number; version: number; options: { id: number; name: string; path: string | null; mediaType: string | null }[] }
const ask = (method: string, at: string, body?: unknown) => app.as('admin')(method, at, body)
let made = 0
const list = async (...options: { name: string }[]): Promise<List> =>
  (await ask('POST', '/files', { name: `Lista ${++made}`, message: 'Segue', options })).body
function bring({ id }: List, fields: Record<string, string | number>, ...files: [Buffer, string][]) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  for (const [content, name] of files) form.append('files', new Blob([content as never]), name)
  return ask('POST', `/files/uploadList/${id}`, form)
}
const held = () => app.db.selectFrom('uploadReservation').select('id').execute()
const shown = async ({ path }: { path: string | null }) => (await app.stranger('GET', path!)).status

describe('a file list (R-FILE-01, R-FILE-02)', () => {
  it('keeps its entries with their files in order, and updates open pages', async () => {
    const line = await app.socket('ana')
    const one = await list({ name: 'Capa' }, { name: 'Áudio' })
    const [cover, sound] = one.options
    await bring(one, { fileId: one.id, typeArch: 'fileList', mediaType: 'image/png', id: cover!.id }, [png, 'capa.png'])
    await bring(one, { id: sound!.id }, [mp3, 'voz.mp3'])
    const { body } = await bring(one, {}, [mp4, 'filme.mp4'], [png, 'verso.png'])
    expect(body.options.map(({ name, mediaType }: any) => [name, mediaType])).toEqual([
      ['Capa', 'image/png'],
      ['Áudio', 'audio/mpeg'],
      ['filme.mp4', 'video/mp4'],
      ['verso.png', 'image/png'],
    ])
    await expect
      .poll(() => line.frames.findLast(({ channel }: any) => channel.endsWith('-fileList')))
      .toMatchObject({ record: { id: one.id, options: { 3: { name: 'verso.png' } } } })
    const options = [body.options[3], { ...body.options[0], name: 'Frente' }, { name: 'Sem arquivo' }, body.options[1]]
    const turned = await ask('PUT', `/files/${one.id}`, { options, version: body.version })
    expect(turned.body.options.map(({ name, path }: any) => [name, path !== null])).toEqual([
      ['verso.png', true],
      ['Frente', true],
      ['Sem arquivo', false],
      ['Áudio', true],
    ])
    expect(await shown(body.options[2])).toBe(404) // the film was removed with its entry
    expect(await filesOf(app.db, 1, one.id)).toMatchObject({
      message: 'Segue',
      files: [{ name: 'verso.png' }, { name: 'Frente', media: { mime: 'image/png' } }, { name: 'Áudio' }],
    })
    const bare = await ask('PUT', `/files/${one.id}`, { options: turned.body.options.map((o: any) => ({ ...o, path: null })) })
    expect(bare.body.options.map(({ path }: any) => path)).toEqual([null, null, null, null])
    expect(await shown(body.options[1])).toBe(404)
    const { changes } = (await app.as('dulce')('GET', `/audit?list=fileList&rowId=${one.id}`)).body
    expect(changes[0]).toMatchObject({ name: `Lista ${made}`, act: 'changed' })
  })

  it('takes documents (A-FILE-02)', async () => {
    const one = await list()
    const { body } = await bring(one, {}, [pdf, 'preços.pdf'], [Buffer.from('Abrimos às 8.'), 'leia.txt'])
    expect(body.options.map(({ mediaType }: any) => mediaType)).toEqual(['application/pdf', 'text/plain'])
    expect((await ask('DELETE', `/files/${one.id}`)).status).toBe(204)
  })

  it.each([
    ['a table of values', [Buffer.from('a;b'), 'a.csv'], 415, 'ERR_FILE_LIST_MEDIA'],
    ['a document of more than 20 MB', [larger(pdf, 20), 'a.pdf'], 413, 'ERR_TOO_LARGE'],
    ['a picture of more than 2 MB', [larger(png, 2), 'a.png'], 413, 'ERR_TOO_LARGE'],
    ['sound of more than 5 MB', [larger(mp3, 5), 'a.mp3'], 413, 'ERR_TOO_LARGE'],
    ['a film of more than 20 MB', [larger(mp4, 20), 'a.mp4'], 413, 'ERR_TOO_LARGE'],
  ] as [string, [Buffer, string], number, string][])('refuses %s and keeps nothing of the upload', async (_, file, status, error) => {
    const one = await list()
    const no = await bring(one, {}, [png, 'boa.png'], file)
    expect([no.status, no.body.error]).toEqual([status, error])
    expect((await ask('GET', `/files/${one.id}`)).body).toMatchObject({ version: one.version, options: [] })
    expect(await held()).toEqual([])
  })

  it('refuses foreign or duplicate entries, duplicate names and outdated edits', async () => {
    const [one, two] = [await list({ name: 'Um' }), await list({ name: 'Dois' })]
    const theirs = { options: two.options }
    expect((await ask('PUT', `/files/${one.id}`, theirs)).body.error).toBe('ERR_INVALID_INPUT')
    expect((await ask('PUT', `/files/${one.id}`, { options: [...one.options, ...one.options] })).body.error).toBe('ERR_INVALID_INPUT')
    expect((await bring(one, { id: two.options[0]!.id }, [png, 'a.png'])).body.error).toBe('ERR_INVALID_INPUT')
    expect((await ask('POST', '/files', { name: ` lista ${made} `, message: 'x' })).body.error).toBe('ERR_DUPLICATED_NAME')
    await ask('PUT', `/files/${one.id}`, { message: 'Nova' })
    expect((await ask('PUT', `/files/${one.id}`, { message: 'Tarde', version: one.version })).body.error).toBe('ERR_ROW_CHANGED')
    expect(await held()).toEqual([])
  })

  it('is deleted only with a replacement while a queue or an option uses it (A-QUEUE-01)', async () => {
    const [one, two] = [await list({ name: 'Um' }), await list()]
    await bring(one, { id: one.options[0]!.id }, [png, 'a.png'])
    const { vendas, suporte } = app.company.queues
    const option = { companyId: 1, queueId: suporte, chatBotId: null, position: 0, name: 'Ver arquivos', greetingMessage: null }
    const rest = { queueType: 'file' as const, closeTicket: false, optQueueId: null, optUserId: null, optIntegrationId: null }
    await app.db.updateTable('queue').set({ fileListId: one.id }).where('id', '=', vendas).execute()
    await app.db
      .insertInto('menuOption')
      .values({ ...option, ...rest, optFileId: one.id })
      .execute()
    const points = async () => [
      (await app.db.selectFrom('queue').select('fileListId').where('id', '=', vendas).executeTakeFirstOrThrow()).fileListId,
      (await app.db.selectFrom('menuOption').select('optFileId').where('queueId', '=', suporte).executeTakeFirstOrThrow()).optFileId,
    ]
    const no = await ask('DELETE', `/files/${one.id}`)
    expect([no.status, no.body]).toMatchObject([409, { error: 'ERR_FILE_LIST_IN_USE', queues: 1, options: 1 }])
    expect((await ask('DELETE', `/files/${one.id}?moveTo=${one.id}`)).body.error).toBe('ERR_INVALID_INPUT')
    expect((await ask('DELETE', `/files/${one.id}?moveTo=${two.id}`)).status).toBe(204)
    expect(await points()).toEqual([two.id, two.id])
    expect((await ask('DELETE', `/files/${two.id}?release=true`)).status).toBe(204)
    expect(await points()).toEqual([null, null])
    expect(await filesOf(app.db, 1, one.id)).toBeNull()
    expect(await app.db.selectFrom('rowFile').select('key').where('list', '=', 'fileListOption').execute()).toEqual([])
  })
})
