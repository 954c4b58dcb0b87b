import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errors } from '#domain/errors.ts'
import { type Answer, startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'
import { openScene, type Scene, type Ticket } from './scene.ts'

let app: TestApp
let scene: Scene
let ticket: Ticket
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
  ticket = await scene.served()
})
afterAll(() => app.stop())

const codes = new Set(Object.keys(errors).map((code) => code.split('/')[0]))
const says = ({ status, body }: Answer) => [status, body?.error]
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const recording = Buffer.concat([
  Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data', 'latin1'),
  Buffer.alloc(64, 128),
])
const megabyte = 1024 * 1024

function form(files: [content: Buffer | string, name: string, type?: string][], fields: Record<string, string> = {}): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  for (const [content, name, type] of files) data.append('medias', new Blob([content as never], type ? { type } : {}), name)
  return data
}
const send = (data: FormData | Buffer | string, headers?: Record<string, string>) =>
  app.as('ana')('POST', `/messages/${ticket.id}`, data, headers)
const sentNow = async () => (await app.db.selectFrom('message').select('id').where('ticketId', '=', ticket.id).execute()).length

describe('an uploaded file', () => {
  it('is sent, stored, and served at a signed address if it is a picture', async () => {
    const { status, body } = await send(form([[png, 'ponto.png', 'image/png']], { body: 'veja' }))
    expect(status).toBe(200)
    expect(body.messages).toMatchObject([
      { mediaType: 'image', body: 'veja', media: { mime: 'image/png', width: 1, height: 1, name: 'ponto.png' } },
    ])
    const shown = await app.stranger('GET', body.messages[0].mediaUrl)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await app.stranger('GET', body.messages[0].mediaUrl.replace(/s=./, 's=!'))).status).toBe(404)
    expect((await app.stranger('GET', body.messages[0].mediaUrl.replace('/media/1/', '/media/2/'))).status).toBe(404)
  })
  it('is served whole, by byte range, or as not modified', async () => {
    const { body } = await send(form([[Buffer.from('0123456789'), 'dez.txt']]))
    const asked = async (headers: Record<string, string>) => {
      const answer = await app.stranger('GET', body.messages[0].mediaUrl, undefined, headers)
      return [answer.status, answer.body, answer.headers.get('content-range'), answer.headers.get('content-length')]
    }
    const etag = `"${/[0-9a-f]{64}/.exec(body.messages[0].mediaUrl)![0]}"`
    const whole = [200, '0123456789', null, '10']
    expect(await asked({})).toEqual(whole)
    expect(await asked({ range: 'bytes=2-4' })).toEqual([206, '234', 'bytes 2-4/10', '3'])
    expect(await asked({ range: 'bytes=7-' })).toEqual([206, '789', 'bytes 7-9/10', '3'])
    expect(await asked({ range: 'bytes=0-99' })).toEqual([206, '0123456789', 'bytes 0-9/10', '10'])
    expect(await asked({ range: 'bytes=-1' })).toEqual([206, '9', 'bytes 9-9/10', '1'])
    expect((await asked({ range: 'bytes=10-' })).slice(0, 3)).toEqual([416, null, 'bytes */10'])
    for (const range of ['bytes=4-2', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=a-b']) expect(await asked({ range })).toEqual(whole)
    expect(await asked({ range: 'bytes=2-4', 'if-range': '"another"' })).toEqual(whole)
    expect((await asked({ range: 'bytes=2-4', 'if-range': etag }))[0]).toBe(206)
    expect((await asked({ 'if-none-match': etag }))[0]).toBe(304)
    expect((await app.stranger('HEAD', body.messages[0].mediaUrl)).headers.get('content-length')).toBe('10')
  })
  it('becomes one message per file, with the text at the first', async () => {
    const { body } = await send(
      form(
        [
          [png, 'a.png'],
          ['nome;valor\n', 'b.csv'],
        ],
        { body: 'duas' },
      ),
    )
    expect(body.messages).toMatchObject([
      { mediaType: 'image', body: 'duas' },
      { mediaType: 'application', body: '', media: { mime: 'text/csv' } },
    ])
  })
  it('has no text if it is audio: the text goes to the first other file or follows', async () => {
    const { body } = await send(form([[recording, 'voz.wav']], { body: 'como combinado' }))
    expect(body.messages).toMatchObject([
      { mediaType: 'audio', body: '' },
      { mediaType: 'chat', body: 'como combinado', media: null },
    ])
    const both: [Buffer, string][] = [
      [recording, 'voz.wav'],
      [png, 'a.png'],
    ]
    expect((await send(form(both, { body: 'a foto' }))).body.messages).toMatchObject([
      { mediaType: 'audio', body: '' },
      { mediaType: 'image', body: 'a foto' },
    ])
  })
  it.each<[string, Buffer | string, string, string]>([
    ['a page', '<!doctype html><script>alert(1)</script>', 'foto.png', 'image/png'],
    ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'foto.png', 'image/png'],
    ['a drawing that says so', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.svg', 'image/svg+xml'],
    ['a program', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), 'foto.png', 'image/png'],
    ['a program for Linux', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(200)]), 'foto.jpg', 'image/jpeg'],
    ['a page that says so', '<html></html>', 'pagina.html', 'text/html'],
    ['a script', '#!/bin/sh\nrm -rf /\n', 'instalar.sh', 'text/plain'],
    ['a broken picture', png.subarray(0, 20), 'foto.png', 'image/png'],
    ['no name to go by', 'qualquer coisa', 'arquivo', 'text/plain'],
  ])('that is %s is refused whatever it is called (A-MSG-07)', async (_, content, name, type) => {
    const before = await sentNow()
    expect(says(await send(form([[content, name, type]])))).toEqual([415, 'ERR_UNSUPPORTED_MEDIA'])
    expect(await sentNow()).toBe(before)
  })
  it('is never served as HTML if it is a text that contains HTML', async () => {
    const { body } = await send(form([['<script>alert(1)</script>', 'nota.txt', 'text/html']]))
    const shown = await app.stranger('GET', body.messages[0].mediaUrl)
    expect(shown.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(shown.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
  })
  it('is refused together with all others if one of them is invalid', async () => {
    const before = await sentNow()
    expect(
      says(
        await send(
          form([
            [png, 'a.png'],
            ['MZ', 'b.exe'],
          ]),
        ),
      ),
    ).toEqual([415, 'ERR_UNSUPPORTED_MEDIA'])
    expect(await sentNow()).toBe(before)
  })
  it('is refused if it is empty', async () => expect((await send(form([['', 'a.txt']]))).status).toBe(400))
  it('is refused above the size limit of its type', async () => {
    expect(says(await send(form([[Buffer.concat([png, Buffer.alloc(17 * megabyte)]), 'a.png']])))).toEqual([413, 'ERR_TOO_LARGE'])
    expect(says(await send(form([[Buffer.alloc(65 * megabyte, 'a'), 'a.txt']])))).toEqual([413, 'ERR_TOO_LARGE'])
  })
  it('keeps only the last part of a path as its name', async () => {
    const { body } = await send(form([[png, '../../etc/cron.d/x.png']]))
    expect(body.messages[0].media.name).toBe('x.png')
    expect((await app.stranger('GET', body.messages[0].mediaUrl)).status).toBe(200)
  })
  it('gets the extension of its content, and is served under that name only (F7)', async () => {
    const { body } = await send(form([[png, 'boleto.png.hta']]))
    const { media, mediaUrl } = body.messages[0]
    expect(media.name).toBe('boleto.png')
    expect((await app.stranger('GET', mediaUrl)).headers.get('content-disposition')).toContain("UTF-8''boleto.png")
    expect((await app.stranger('GET', mediaUrl.replace('boleto.png', 'boleto.hta'))).status).toBe(404)
  })
  it('is not read if the ticket is not visible (F16)', async () => {
    const at = `/messages/${scene.theirs.ticket.id}`
    const { hostname, port } = new URL(app.url)
    const token = await app.tokenOf('ana')
    const heard = await new Promise<string>((resolve) => {
      const head = [`POST /api${at} HTTP/1.1`, `Host: ${hostname}`, `Authorization: Bearer ${token}`, 'Content-Length: 60000000']
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `${head.join('\r\n')}\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\nContent-Disposition: form-data; name="medias"; filename="a.txt"\r\n\r\naaa`,
        ),
      )
      socket.once('data', (some) => {
        resolve(some.toString())
        socket.destroy()
      })
    })
    expect(heard).toMatch(/^HTTP\/1\.1 404 [\s\S]*ERR_NO_TICKET_FOUND/) // most of the file had not arrived yet
    expect(await readdir(app.ctx.uploadDir)).toEqual([])
  })
  it('is cut at the size limit of its type while it is read', async () => {
    const { hostname, port } = new URL(app.url)
    const token = await app.tokenOf('ana')
    const most = await new Promise<number>((resolve) => {
      const head = [
        `POST /api/messages/${ticket.id} HTTP/1.1`,
        `Host: ${hostname}`,
        `Authorization: Bearer ${token}`,
        'Content-Length: 60000000',
      ]
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `${head.join('\r\n')}\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\nContent-Disposition: form-data; name="medias"; filename="a.png"\r\n\r\n`,
        )
        socket.write(png)
        const pump = (left: number) => left > 0 && !socket.destroyed && socket.write(Buffer.alloc(megabyte), () => pump(left - 1))
        pump(20)
      })
      socket.on('error', () => undefined)
      socket.once('data', (some) => {
        expect(some.toString()).toMatch(/^HTTP\/1\.1 413/)
        resolve(socket.bytesWritten)
        socket.destroy()
      })
    })
    expect(most).toBeLessThan(60_000_000)
  })
  it('has an address of its own in each company, even with equal content', async () => {
    const own = (await send(form([[png, 'a.png']]))).body.messages[0].mediaUrl as string
    const other = await app.as('rita')('POST', `/messages/${scene.theirs.ticket.id}`, form([[png, 'a.png']]))
    expect(other.body.messages[0].mediaUrl.split('?')[0]).not.toBe(own.split('?')[0])
  })
})

describe('a multipart body', () => {
  const garbage = (body: string, type = 'multipart/form-data; boundary=x') => send(Buffer.from(body), { 'content-type': type })
  it.each([
    ['without a boundary', 'anything', 'multipart/form-data'],
    ['that is empty', '', undefined],
    ['that is no multipart at all', 'hello', undefined],
    ['that ends in the middle', '--x\r\nContent-Disposition: form-data; name="medias"; filename="a.png"\r\n\r\nabc', undefined],
    ['with a part without a name', '--x\r\nContent-Disposition: form-data\r\n\r\nabc\r\n--x--\r\n', undefined],
    ['with headers without end', `--x\r\nContent-Disposition: form-data; name="${'a'.repeat(100_000)}"\r\n\r\nabc\r\n--x--\r\n`, undefined],
    ['with bytes for a boundary', '\x00\x01', 'multipart/form-data; boundary="\\"'],
    ['with more than one boundary', '--x--', 'multipart/form-data; boundary=x; boundary=y'],
  ])('%s is refused', async (_, body, type) => {
    const answer = await garbage(body, type)
    expect([answer.status >= 400 && answer.status < 500, codes.has(answer.body?.error), answer.status]).toEqual([true, true, answer.status])
  })
  it('is refused with too many files or fields', async () => {
    expect(says(await send(form(Array.from({ length: 21 }, (_, i) => [png, `${i}.png`]))))).toEqual([413, 'ERR_TOO_LARGE'])
    const fields = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, 'x']))
    expect(says(await send(form([], fields)))).toEqual([413, 'ERR_TOO_LARGE'])
  })
  it('is refused with a text that is too long, and never cut', async () => {
    expect((await send(form([[png, 'a.png']], { body: 'x'.repeat(100_000) }))).status).toBe(413)
    expect((await send(form([[png, 'a.png']], { body: 'x'.repeat(20_001) }))).status).toBe(400)
    expect(says(await send(form([[png, 'a.png']], { body: '😀'.repeat(18_000) })))).toEqual([413, 'ERR_TOO_LARGE']) // fewer characters, more bytes
  })
  it('sets no prototype and is validated like any body', async () => {
    expect((await send(form([], { __proto__x: 'a', constructor: 'b', body: 'olá', quotedMsg: '{"__proto__":{"id":1}}' }))).status).toBe(400)
    expect((await send(form([], { body: 'olá', quotedMsg: '{"id":' }))).status).toBe(400)
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })
  it('leaves nothing behind if the client aborts', async () => {
    const token = await app.tokenOf('ana')
    const { hostname, port } = new URL(app.url)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        const head = [
          `POST /api/messages/${ticket.id} HTTP/1.1`,
          `Host: ${hostname}`,
          `Authorization: Bearer ${token}`,
          'Content-Type: multipart/form-data; boundary=x',
          'Content-Length: 1000000',
        ]
        socket.write(
          `${head.join('\r\n')}\r\n\r\n--x\r\nContent-Disposition: form-data; name="medias"; filename="a.png"\r\n\r\n${'a'.repeat(200_000)}`,
        )
        setTimeout(() => socket.destroy(), 100)
      })
      socket.on('close', () => resolve())
    })
    const left = async () => (await readdir(app.ctx.uploadDir)).length
    await eventually(left, (files) => files === 0) // a file may be started after its sender hung up, and is removed then
    expect((await send(form([], { body: 'ainda aqui' }))).status).toBe(200)
  })
})
