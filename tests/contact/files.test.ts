import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageSize } from '#domain/answers.ts'
import { openScene, type Scene } from '#tests/http/scene.ts'
import type { Person } from '#tests/support/seed-companies.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* The files of a contact's tickets, over HTTP (A-CONTACT-04). */
let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app?.stop())

const ok = async (who: Person, method: string, path: string, body?: object) => {
  const answer = await app.as(who)(method, path, body)
  expect([answer.status, answer.body]).toEqual([answer.status < 300 ? answer.status : 200, answer.body])
  return answer.body
}
let n = 0
/** A customer who sends these files on one ticket. Returns contact and ticket. */
async function customer(...names: string[]) {
  const from = `55119${String(42_000_000 + ++n)}`
  for (const name of names) await send(from, name)
  const contact = await app.db.selectFrom('contact').select('id').where('number', '=', from).executeTakeFirstOrThrow()
  const ticket = await app.db.selectFrom('ticket').select('id').where('contactId', '=', contact.id).executeTakeFirstOrThrow()
  return { from, id: contact.id, ticketId: ticket.id }
}
async function send(from: string, name: string): Promise<void> {
  const body = new FormData()
  for (const [field, value] of Object.entries({ id: crypto.randomUUID(), from, name: 'Cliente', body: '' })) body.append(field, value)
  body.append('medias', new Blob([`conteúdo de ${name}`], { type: 'text/plain' }), name)
  const { status } = await app.as('admin')('POST', `/sandbox/${scene.connections.balcao}/inbound`, body)
  expect(status).toBe(202)
  await app.settled()
}
const files = (who: Person, id: number, cursor = '') => ok(who, 'GET', `/contacts/${id}/files${cursor && `?cursor=${cursor}`}`)
const names = async (who: Person, id: number) => (await files(who, id)).files.map(({ media }: { media: { name: string } }) => media.name)

it('lists files newest first, without texts and deleted messages, each with a link that opens', async () => {
  const one = await customer('um.txt', 'dois.txt')
  await app.phone.says(one.from, 'só texto')
  await app.settled()
  await ok('ana', 'PUT', `/tickets/${one.ticketId}`, { status: 'open', queueId: scene.queues.vendas })
  const form = new FormData()
  form.set('body', 'segue')
  form.set('medias', new Blob(['resposta'], { type: 'text/plain' }), 'resposta.txt')
  await ok('ana', 'POST', `/messages/${one.ticketId}`, form)
  await app.settled()
  const { files: found, cursor } = await files('ana', one.id)
  expect(found.map((file: any) => [file.media.name, file.fromMe, file.ticketId])).toEqual([
    ['resposta.txt', true, one.ticketId],
    ['dois.txt', false, one.ticketId],
    ['um.txt', false, one.ticketId],
  ])
  expect(cursor).toBeNull()
  const opened = await fetch(new URL(found[1].mediaUrl, app.url))
  expect([opened.status, await opened.text()]).toEqual([200, 'conteúdo de dois.txt'])
  await ok('ana', 'DELETE', `/messages/${found[0].id}`)
  await app.settled()
  expect(await names('ana', one.id)).toEqual(['dois.txt', 'um.txt'])
})

it('shows no file of a ticket that the viewer may not see (A-VIS-02)', async () => {
  const one = await customer('segredo.txt')
  await ok('bruno', 'PUT', `/tickets/${one.ticketId}`, { status: 'open', queueId: scene.queues.suporte })
  await app.settled()
  expect(await names('ana', one.id)).toEqual([]) // suporte is not her queue
  expect(await names('admin', one.id)).toEqual(['segredo.txt'])
  expect((await app.as('rita')('GET', `/contacts/${one.id}/files`)).status).toBe(404)
})

it('contains the files of merged contacts, and of each alone after the undo (A-MERGE-01)', async () => {
  const [source, target] = [await customer('da-origem.txt'), await customer('do-destino.txt')]
  await ok('admin', 'PUT', `/tickets/${source.ticketId}`, { status: 'open', queueId: scene.queues.vendas })
  await ok('admin', 'PUT', `/tickets/${source.ticketId}`, { status: 'closed', sendFarewellMessage: false })
  await app.settled()
  await ok('admin', 'POST', `/contacts/${source.id}/merge`, { targetId: target.id })
  expect(await names('admin', target.id)).toEqual(['do-destino.txt', 'da-origem.txt'])
  await ok('admin', 'POST', `/contacts/${source.id}/separate`, {})
  expect([await names('admin', target.id), await names('admin', source.id)]).toEqual([['do-destino.txt'], ['da-origem.txt']])
})

it('comes in pages without gaps and repeats, and refuses a malformed cursor', async () => {
  const all = Array.from({ length: pageSize + 3 }, (_, i) => `arquivo-${i}.txt`)
  const one = await customer(...all)
  const first = await files('admin', one.id)
  const second = await files('admin', one.id, first.cursor)
  expect([first.files.length, second.files.length, second.cursor]).toEqual([pageSize, 3, null])
  expect([...first.files, ...second.files].map(({ media }: any) => media.name)).toEqual(all.toReversed())
  const wrong = await app.as('admin')('GET', `/contacts/${one.id}/files?cursor=x`)
  expect([wrong.status, wrong.body.error]).toEqual([400, 'ERR_INVALID_INPUT'])
})
