import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { eventually } from '#tests/support/wait.ts'

let app: TestApp
let at: string
beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'projector'] })
  const { connections, contacts, queues } = app.company
  const opening = { contactId: contacts.maria, whatsappId: connections.balcao, queueId: queues.vendas }
  at = `/messages/${(await app.as('bruno')('POST', '/tickets', opening)).body.id}`
})
afterAll(() => app?.stop())

const left = () => readdir(app.ctx.uploadDir)
const withFile = (name: string, text = 'hello') => {
  const form = new FormData()
  form.append('medias', new Blob([text]), name)
  return form
}

it('accepts a file name whose cut falls into an emoji, and the conversation stays readable', async () => {
  const sent = await app.as('bruno')('POST', at, withFile(`${'x'.repeat(100)}😀${'y'.repeat(115)}.txt`))
  expect(sent.status).toBe(200)
  expect(sent.body.messages[0].media.name.isWellFormed()).toBe(true)
  expect((await app.as('bruno')('GET', at)).status).toBe(200)
})

it('answers malformed multipart data with an input error', async () => {
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=zz'])
    expect((await app.as('bruno')('POST', at, 'x', { 'content-type': type })).body).toMatchObject({ error: 'ERR_INVALID_INPUT' })
})

it('leaves no file after a refused or an aborted upload', async () => {
  expect((await app.as('bruno')('POST', at, withFile('page.html', '<b>'))).status).toBe(415)
  await eventually(left, (files) => files.length === 0)

  const call = request(`${app.url}/api${at}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await app.tokenOf('bruno')}`,
      'content-type': 'multipart/form-data; boundary=zz',
      'content-length': 5_000_000,
    },
  })
  call.on('error', () => undefined)
  call.write(`--zz\r\nContent-Disposition: form-data; name="medias"; filename="a.txt"\r\n\r\n${'a'.repeat(100_000)}`)
  await eventually(left, (files) => files.length === 1)
  call.destroy()
  await eventually(left, (files) => files.length === 0)
})
