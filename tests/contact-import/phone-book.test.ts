import { afterAll, beforeAll, expect, it } from 'vitest'
import { eraseDeletedContacts } from '#app/contact/remove.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let connection: number
beforeAll(async () => {
  app = await startTestApp()
  const own = app.db.selectFrom('connection').select('id').where('companyId', '=', app.company.companies.casa)
  connection = (await own.where('isDefault', '=', true).executeTakeFirstOrThrow()).id
})
afterAll(() => app.stop())

const ana = (method: string, path: string, body?: object, headers?: Record<string, string>) => app.as('ana')(method, path, body, headers)
const send = (source: 'book' | 'chats', people: [name: string, number: string][]) =>
  app.as('admin')('POST', `/sandbox/${connection}/people`, { source, people: people.map(([name, number]) => ({ name, number })) })
async function imported(path: string) {
  const { status, body } = await ana('POST', path)
  expect(status).toBe(202)
  const work = async () => (await ana('GET', '/works')).body.find(({ id }: { id: number }) => id === body.work.id)
  await expect.poll(async () => (await work()).state).toBe('done')
  return (await ana('GET', `/contacts/upload/${body.importId}/result`)).body
}
const nameOf = async (number: string) => (await ana('GET', `/contacts?searchParam=${number}`)).body.contacts[0]?.name

it('a phone that has sent nothing is named as the reason', async () => {
  for (const path of ['/contacts/import', '/contacts/import/chats'])
    expect(await ana('POST', path)).toMatchObject({ status: 409, body: { error: 'ERR_IMPORT_PHONE' } })
})

it('the address book creates contacts, and gives existing ones only a missing name (A-IMP-01)', async () => {
  await ana('POST', '/contacts', { name: 'Bia do Caixa', number: '5511985600002' })
  const { id } = (await ana('POST', '/contacts', { name: 'sem nome', number: '5511985600003' })).body
  await app.db.updateTable('contact').set({ name: '5511985600003', nameless: true }).where('id', '=', id).execute()
  await send('book', [
    ['Ana da Feira', '5511985600001'],
    ['Outra Bia', '5511985600002'],
    ['Caio Nomeado', '5511985600003'],
    ['Londres', '442079460958'],
  ])
  expect(await imported('/contacts/import')).toEqual({ total: 4, created: 2, updated: 1, unchanged: 1, ignored: 0 })
  expect(await nameOf('5511985600001')).toBe('Ana da Feira')
  expect(await nameOf('5511985600002')).toBe('Bia do Caixa')
  expect(await nameOf('5511985600003')).toBe('Caio Nomeado')
  expect(await app.as('rita')('POST', '/contacts/import')).toMatchObject({ status: 409 }) // another company has another phone
  expect(await nameOf('442079460958')).toBe('Londres') // a number of another country is not completed
  expect(await imported('/contacts/import')).toEqual({ total: 4, created: 0, updated: 0, unchanged: 4, ignored: 0 })
})

it('people of chats without a name are shown by their number until a name is known', async () => {
  await send('chats', [['', '5511985600011']])
  expect(await imported('/contacts/import/chats')).toMatchObject({ total: 1, created: 1 })
  expect(await nameOf('5511985600011')).toBe('+5511985600011')
  await send('chats', [
    ['Davi do Chat', '5511985600011'],
    ['', '5511985600011'],
  ])
  await imported('/contacts/import/chats')
  expect(await nameOf('5511985600011')).toBe('Davi do Chat') // the name stays if the same chat is listed again without one
  await app.db.updateTable('contact').set({ name: '5511985600011', nameless: true }).where('number', '=', '5511985600011').execute()
  await send('book', [['Davi', '5511985600011']])
  await send('chats', [['Davi do Chat', '5511985600011']])
  await imported('/contacts/import/chats')
  expect(await nameOf('5511985600011')).toBe('Davi') // the name of the address book counts more
})

it('a repeated call starts one import', async () => {
  const headers = { 'x-command-id': crypto.randomUUID() }
  const [first, second] = [await ana('POST', '/contacts/import', {}, headers), await ana('POST', '/contacts/import', {}, headers)]
  expect(second.body).toEqual({ ...first.body, work: expect.objectContaining({ id: first.body.work.id }) })
})

it('an erased contact leaves the address book too', async () => {
  const number = '5511985600021'
  await send('book', [['Élio Apagado', number]])
  await imported('/contacts/import')
  const { id } = (await ana('GET', `/contacts?searchParam=${number}`)).body.contacts[0]
  expect((await app.as('admin')('DELETE', `/contacts/${id}`)).status).toBe(204)
  await app.db.updateTable('contact').set({ deletedAt: '2020-01-01T00:00:00Z' }).where('id', '=', id).execute()
  await eraseDeletedContacts(app.ctx)
  expect(await app.db.selectFrom('phoneBook').selectAll().where('number', '=', number).execute()).toEqual([])
})
