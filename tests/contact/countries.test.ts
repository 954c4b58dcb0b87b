import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { up } from '../../migrations/0047_number_forms.ts'

/* Numbers of any country: as a network reports them, as users type them, and as they are searched (A-PHONE-02, A-PHONE-03). */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())
const found = async (search: string) =>
  (await app.as('admin')('GET', `/contacts?searchParam=${encodeURIComponent(search)}`)).body.contacts.map((row: any) => row.number)

it('contacts of other countries are listed, served and written to again', async () => {
  for (const [number, name] of [
    ['351912345678', 'Inês'],
    ['5491123456789', 'Lucía'],
    ['12125550123', 'Ruth'],
    ['595981123456', 'Ña Juana'],
  ] as const) {
    await app.phone.says(number, `oi de ${name}`, { name })
    await app.settled()
    expect(await found(name)).toEqual([number])
    const [contact] = (await app.as('admin')('GET', `/contacts?searchParam=${number}`)).body.contacts
    expect(contact.validNumber).toBe(true)
    const [{ id }] = (await app.as('admin')('GET', `/tickets?status=search&searchParam=${number}`)).body.tickets
    const queueId = app.company.queues.vendas
    expect((await app.as('admin')('PUT', `/tickets/${id}`, { status: 'open', queueId })).status).toBe(200)
    expect((await app.as('admin')('PUT', `/tickets/${id}`, { status: 'closed' })).status).toBe(200)
    await app.settled()
    expect((await app.as('admin')('POST', '/tickets', { contactId: contact.id, queueId })).status).toBe(200)
  }
})

it('a number that looks like a Brazilian one without country code stays unchanged', async () => {
  await app.phone.says('51987650077', 'hola', { name: 'De Lima' })
  await app.phone.says('5551987650077', 'oi', { name: 'De Porto Alegre' })
  await app.settled()
  expect([await found('De Lima'), await found('De Porto Alegre')]).toEqual([['51987650077'], ['5551987650077']])
})

it('a number typed without country code is completed, and is found in every notation', async () => {
  const add = (name: string, number: string) => app.as('admin')('POST', '/contacts', { name, number })
  const { body } = await add('Loja Sul', '51 98765-0088')
  expect([body.number, body.validNumber]).toEqual(['5551987650088', true])
  expect((await add('Loja Sul', '+55 (51) 8765-0088')).body.error).toBe('ERR_DUPLICATED_CONTACT')
  await app.phone.says('553187539262', 'sem o nono dígito', { name: 'Mineira' })
  await app.settled()
  for (const search of ['31987539262', '+55 (31) 98753-9262', '987539262', '031 8753-9262', '553187539262'])
    expect([search, await found(search)]).toEqual([search, ['553187539262']])
  expect((await add('Mineira', '31 98753-9262')).body.error).toBe('ERR_DUPLICATED_CONTACT')
})

it.each([
  ['Mexico', '+52 55 9876 5432', '5215598765432', '525598765432'],
  ['Argentina', '+54 11 9876-5432', '5491198765432', '541198765432'],
])('a typed number of %s is the contact who writes with the digit of WhatsApp', async (_, typed, written, stored) => {
  await app.as('admin')('POST', '/contacts', { name: `Agenda ${typed}`, number: typed })
  await app.phone.says(written, 'hola')
  await app.settled()
  for (const search of [typed, written, stored]) expect([search, await found(search)]).toEqual([search, [stored]])
  const { tickets } = (await app.as('admin')('GET', `/tickets?status=search&searchParam=${stored}`)).body
  expect(tickets).toMatchObject([{ contact: { name: `Agenda ${typed}` }, lastMessage: 'hola' }])
})

it('a Brazilian number without its area code is no number of another country', async () => {
  const { body } = await app.as('admin')('POST', '/contacts', { name: 'Sem área', number: '98877-6655' })
  expect([body.number, body.validNumber]).toEqual(['988776655', false])
})

it('the keys of an older version are those of today after the upgrade', async () => {
  const { casa } = app.company.companies
  const put = (number: string) =>
    app
      .as('admin')('POST', '/contacts', { name: `Antigo ${number}`, number: `+${number}` })
      .then(({ body }) => body.id as number)
  const [alone, one, other] = [await put('541155550001'), await put('541155550002'), await put('541155550003')]
  const set = (id: number, key: string) => app.db.updateTable('contact').set({ number: key, numberKey: key }).where('id', '=', id).execute()
  await set(alone, '5491155550001')
  await set(one, '541155550002')
  await set(other, '5491155550002')
  await up(app.db as never)
  const rows = await app.db.selectFrom('contact').select(['id', 'numberKey']).where('companyId', '=', casa).execute()
  const keyOf = (id: number) => rows.find((row) => row.id === id)!.numberKey
  expect([alone, one, other].map(keyOf)).toEqual(['541155550001', '541155550002', '5491155550002'])
  expect(await found('5491155550001')).toEqual(['5491155550001'])
})

it('a company abroad types its own numbers, and an invalid one is hidden (A-CONTACT-03)', async () => {
  const set = (value: string) => app.as('admin')('PUT', '/settings/phoneCountry', { value })
  expect((await set('XX')).status).toBe(400)
  expect((await set('PT')).status).toBe(200)
  const { body } = await app.as('admin')('POST', '/contacts', { name: 'Tasca', number: '912 345 670' })
  expect([body.number, body.validNumber]).toEqual(['351912345670', true])
  const abroad = await app.as('admin')('POST', '/contacts', { name: 'De fora', number: '+55 11 95555-0044' })
  expect([abroad.body.number, abroad.body.validNumber]).toEqual(['5511955550044', true])
  const wrong = await app.as('admin')('POST', '/contacts', { name: 'Torto', number: '12345678' })
  expect([wrong.body.validNumber, await found('Torto')]).toEqual([false, []])
  await set('BR')
})

it('a user who sees no numbers finds a whole number, but no part of it', async () => {
  await app.set('enableLGPD', 'enabled')
  await app.set('lgpdHideNumber', 'enabled')
  const names = async (search: string) =>
    (await app.as('bruno')('GET', `/contacts?searchParam=${encodeURIComponent(search)}`)).body.contacts.map((row: any) => row.name)
  for (const search of ['553187539262', '31 98753-9262', '+55 31 8753-9262'])
    expect([search, await names(search)]).toEqual([search, ['Mineira']])
  const { body } = await app.as('admin')('POST', '/contacts', { name: 'Rosa 11 97777-1111', number: '11 95555-0033' })
  expect((await app.as('bruno')('GET', `/contacts/${body.id}`)).body.name).toBe('Rosa 11*******11')
  for (const search of ['97777', '11 97777', '87539262', '987539262', '1987539262', '53187539262', '5531875392'])
    expect([search, await names(search)]).toEqual([search, []])
})
