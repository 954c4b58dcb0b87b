import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { storageKeyOf } from '#app/storage/media.ts'
import { openScene } from '#tests/http/scene.ts'
import { command } from '#tests/support/command.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { type S3Double, s3Double } from '#tests/support/s3.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
let double: S3Double
let app: TestApp
let ticketId: number
let url: string
let place: string
beforeAll(async () => {
  double = await s3Double()
  place = mkdtempSync(path.join(tmpdir(), 'guiche-served-'))
  app = await startTestApp({ config: { s3: double.settings({ prefix: 'guiche/' }) } })
  ticketId = (await (await openScene(app)).served()).id
  const { status, body } = await send(png, 'ponto.png')
  expect(status).toBe(200)
  url = body.messages[0].mediaUrl
})
afterAll(async () => {
  await app?.stop()
  double.close()
  rmSync(place, { recursive: true, force: true })
})
beforeEach(() => {
  double.asked.length = 0
})

function send(content: Buffer, name: string) {
  const form = new FormData()
  form.append('medias', new Blob([new Uint8Array(content)]), name)
  return app.as('ana')('POST', `/messages/${ticketId}`, form)
}
const bytes = async (range?: string) => {
  const answer = await fetch(`${app.url}${url}`, { headers: range ? { range } : {} })
  return { status: answer.status, range: answer.headers.get('content-range'), content: Buffer.from(await answer.arrayBuffer()) }
}
const keyOf = (address: string) => storageKeyOf(1, /[0-9a-f]{64}/.exec(address)![0])

it('a picture is stored only in the bucket and served from it, whole and in parts', async () => {
  expect([...double.objects].map(([key, { content, type }]) => [key, content, type])).toEqual([
    [`files/guiche/${keyOf(url)}`, png, 'image/png'],
  ])
  expect(readdirSync(app.ctx.config.dataDir, { recursive: true }).filter((name) => /[0-9a-f]{64}/.test(String(name)))).toEqual([])
  expect(readdirSync(app.ctx.uploadDir)).toEqual([])
  expect(await bytes()).toEqual({ status: 200, range: null, content: png })
  const end = png.length - 1
  expect(await bytes('bytes=1-3')).toEqual({ status: 206, range: `bytes 1-3/${png.length}`, content: Buffer.from('PNG') })
  expect(await bytes('bytes=-2')).toEqual({ status: 206, range: `bytes ${end - 1}-${end}/${png.length}`, content: png.subarray(-2) })
})

it('an unavailable bucket is reported as an unavailable store', async () => {
  const ready = async () => (await app.stranger('GET', '/api/ready')).status
  const up = async () => /^guiche_store_up\{store="S3"\} (\d)$/m.exec((await app.stranger('GET', '/metrics')).body)?.[1]
  expect([await ready(), await up()]).toEqual([200, '1'])
  double.denies.add('GET')
  expect([await ready(), await up()]).toEqual([200, '0']) // calls without files work
  double.denies.delete('GET')
  expect(await up()).toBe('1')
})

it('cached, out-of-range and HEAD requests do not read the object', async () => {
  const etag = `"${/[0-9a-f]{64}/.exec(url)![0]}"`
  expect((await app.stranger('GET', url, undefined, { 'if-none-match': etag })).status).toBe(304)
  expect((await app.stranger('GET', url, undefined, { range: 'bytes=9999-' })).status).toBe(416)
  const { status, headers } = await app.stranger('HEAD', url)
  expect([status, headers.get('content-length'), headers.get('content-type')]).toEqual([200, String(png.length), 'image/png'])
  expect(double.asked.map((one) => one.split(' ')[0])).toEqual(['HEAD', 'HEAD', 'HEAD'])
})

it('a file removed during the request gives an uncached 404', async () => {
  double.faults.push({ status: 404, code: 'NoSuchKey', of: 'GET' })
  const { status, body, headers } = await app.stranger('GET', url)
  expect([status, body.error, headers.get('cache-control')]).toEqual([404, 'ERR_NO_MEDIA_FOUND', 'no-store'])
  for (const name of ['etag', 'accept-ranges', 'content-disposition', 'content-range']) expect(headers.get(name)).toBeNull()
  expect(headers.get('content-type')).toContain('application/json')
})

it('a bucket that fails for a moment is retried without the user noticing', async () => {
  double.faults.push({ status: 500, code: 'InternalError' }, { status: 503, code: 'SlowDown', of: 'GET' })
  expect((await bytes()).content).toEqual(png)
  double.faults.push({ status: 500, code: 'InternalError' })
  expect((await send(Buffer.from('um texto'), 'carta.txt')).status).toBe(200)
})

it('backup, restore and verify handle files in a bucket', async () => {
  const { connectionString, config } = app.ctx
  await app.settled()
  const env = {
    ...{ DATABASE_URL: connectionString, DATA_DIR: config.dataDir, MASTER_KEY: config.masterKey!.toString('base64') },
    ...{ ...double.env, S3_PREFIX: 'guiche' },
  }
  const saved = await command('commands/backup.ts', [path.join(place, 'one.tar')], env)
  expect(saved).toEqual({
    code: 0,
    err: '',
    out: expect.stringMatching(/, 0 files of messages, [\s\S]*The files of messages stay in the bucket files /),
  })

  const [fresh, other] = [await freshDatabase(), await freshDatabase()]
  try {
    /* An archive from an installation with files in a folder. */
    mkdirSync(path.join(config.dataDir, 'media/1/ab'), { recursive: true })
    writeFileSync(path.join(config.dataDir, 'media/1/ab/abc'), 'of a folder')
    expect((await command('commands/backup.ts', [path.join(place, 'two.tar')], { ...env, MEDIA: 'local' })).out).toContain(
      ', 1 files of messages',
    )
    const into = { ...env, DATABASE_URL: other.url, S3_PREFIX: 'restored' }
    expect((await command('commands/restore.ts', [path.join(place, 'two.tar')], into)).code).toBe(0)
    expect(String(double.objects.get('files/restored/1/ab/abc')?.content)).toBe('of a folder')

    const { code, out } = await command('commands/restore.ts', [path.join(place, 'one.tar')], { ...env, DATABASE_URL: fresh.url })
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringContaining('Its files of messages were in the bucket files and are not in it'),
    })
  } finally {
    await Promise.all([fresh.drop(), other.drop()])
  }
  expect((await command('commands/verify.ts', [], env)).out).toMatch(/^files: 2: each has the bytes that its events name\.$/m)
  const [key, object] = [...double.objects].find(([, { type }]) => type === 'image/png')!
  double.objects.set(key, { ...object, content: Buffer.from('forged') })
  const { code, err } = await command('commands/verify.ts', [], env)
  double.objects.set(key, object)
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/file [0-9a-f]{64} has other bytes/) })
})
