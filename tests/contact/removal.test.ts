import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eraseDeletedContacts } from '#app/contact/remove.ts'
import { sweepOrphanedUploads } from '#app/message/orphaned-uploads.ts'
import { abandonedMs } from '#app/storage/row-file.ts'
import { showPicture } from '#tests/data-request/person.ts'
import { openScene, type Scene } from '#tests/http/scene.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await startTestApp()
  scene = await openScene(app)
})
afterAll(() => app.stop())

const number = '5511944490001'
const contactOf = async (search: string) => (await app.as('admin')('GET', `/contacts?searchParam=${search}`)).body.contacts[0]
const remove = (id: number) => app.as('admin')('DELETE', `/contacts/${id}`)

it('a contact with an active ticket is kept; later its number gets a new contact (A-CONTACT-01)', async () => {
  await app.phone.says(number, 'oi')
  await app.settled()
  const contact = await contactOf(number)
  const refused = await remove(contact.id)
  expect([refused.status, refused.body.error]).toEqual([409, 'ERR_OTHER_OPEN_TICKET'])
  const [ticket] = (await app.as('admin')('GET', `/tickets?contactId=${contact.id}`)).body.tickets
  await scene.made('admin', 'PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: scene.queues.vendas })
  await scene.made('admin', 'PUT', `/tickets/${ticket.id}`, { status: 'closed' })
  await app.settled()
  expect((await remove(contact.id)).status).toBeLessThan(300)
  expect(await contactOf(number)).toBeUndefined()
  expect((await app.as('admin')('GET', `/contacts/${contact.id}`)).body.error).toBe('ERR_NO_CONTACT_FOUND')
  expect((await app.as('admin')('GET', `/tickets/u/${ticket.uuid}`)).body.contact.name).toBe(contact.name)
  expect((await remove(contact.id)).body.error).toBe('ERR_NO_CONTACT_FOUND')
  const reopened = await app.as('admin')('PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: scene.queues.vendas })
  expect(reopened.body.error).toBe('ERR_NO_CONTACT_FOUND')

  await app.phone.says(number, 'voltei') // at once, while a worker may still know the deleted contact
  await app.settled()
  const again = await contactOf(number)
  expect(again.id).not.toBe(contact.id)
  const [second] = (await app.as('admin')('GET', `/tickets?contactId=${again.id}`)).body.tickets
  expect(second).toMatchObject({ status: 'pending', lastMessage: 'voltei' })
})

it('a message after the deletion gets a new contact, also before the closed ticket released its place', async () => {
  const other = '5511944490002'
  await app.phone.says(other, 'oi')
  await app.settled()
  const contact = await contactOf(other)
  const [ticket] = (await app.as('admin')('GET', `/tickets?contactId=${contact.id}`)).body.tickets
  await scene.made('admin', 'PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: scene.queues.vendas })
  await scene.made('admin', 'PUT', `/tickets/${ticket.id}`, { status: 'closed' })
  await app.settled()
  const place = { companyId: app.company.companies.casa, connectionId: ticket.whatsappId, contactId: contact.id }
  await app.db
    .insertInto('activeTicket')
    .values({ ...place, ticketId: ticket.id, uuid: ticket.uuid })
    .execute()
  expect((await remove(contact.id)).status).toBeLessThan(300)
  await app.phone.says(other, 'voltei')
  await app.settled()
  const again = await contactOf(other)
  expect(again.id).not.toBe(contact.id)
  expect((await app.as('admin')('GET', `/tickets?contactId=${again.id}`)).body.tickets).toMatchObject([{ lastMessage: 'voltei' }])
})

it('the personal fields of a deleted contact are erased after 30 days (A-CONTACT-01)', async () => {
  const { id } = await scene.contact()
  expect((await remove(id)).status).toBeLessThan(300)
  const fields = async () => app.db.selectFrom('contact').select(['name', 'number', 'email']).where('id', '=', id).executeTakeFirstOrThrow()
  await eraseDeletedContacts(app)
  expect((await fields()).name).not.toBe('')
  await app.db.updateTable('contact').set({ deletedAt: sql`app_now() - interval '31 days'` }).where('id', '=', id).execute()
  await eraseDeletedContacts(app)
  expect(await fields()).toEqual({ name: '', number: '', email: '' })
})

it('the picture of a deleted contact is removed after 30 days, and none comes later (A-CONTACT-01)', async () => {
  const { id } = await scene.contact()
  await showPicture(app, id, 'rosto')
  const { urlPicture } = (await app.as('admin')('GET', `/contacts/${id}`)).body
  const picture = async () => (await fetch(app.url + urlPicture)).status
  expect(await picture()).toBe(200)
  expect((await remove(id)).status).toBeLessThan(300)
  await app.db.updateTable('contact').set({ deletedAt: sql`app_now() - interval '31 days'` }).where('id', '=', id).execute()
  await eraseDeletedContacts(app)
  await sweepOrphanedUploads(app.ctx, abandonedMs)
  expect(await picture()).toBe(404)
  await showPicture(app, id, 'rosto tardio')
  const files = app.db.selectFrom('rowFile').select('key').where('list', '=', 'contact').where('rowId', '=', id)
  expect(await files.execute()).toEqual([])
})

it('a deleted number is created by form and import again, apart from the old tickets (A-CONTACT-01)', async () => {
  const numbers = ['5511944490003', '5511944490004']
  for (const [n, number] of numbers.entries()) {
    await app.phone.says(number, 'oi', { name: `Élio ${n}` })
    await app.settled()
    const old = await contactOf(number)
    const [ticket] = (await app.as('admin')('GET', `/tickets?contactId=${old.id}`)).body.tickets
    await scene.made('admin', 'PUT', `/tickets/${ticket.id}`, { status: 'open', queueId: scene.queues.vendas })
    await scene.made('admin', 'PUT', `/tickets/${ticket.id}`, { status: 'closed' })
    await app.settled()
    expect((await remove(old.id)).status).toBeLessThan(300)
    const body = { name: 'Élio Novo', number }
    const created = await (n === 0 ? app.as('admin')('POST', '/contacts', body) : app.as('admin')('POST', '/contactsImport', body))
    expect([created.status, created.body.id === old.id]).toEqual([200, false])
    expect((await app.as('admin')('GET', `/tickets?contactId=${created.body.id}&status=search&showAll=true`)).body.tickets).toEqual([])
    expect((await app.as('admin')('GET', `/tickets?status=search&searchParam=%23${ticket.id}`)).body.tickets[0].contact.name).toBe(
      `Élio ${n}`,
    )
    await app.phone.says(number, 'voltei', { name: `Élio ${n}` })
    await app.settled()
    const [again] = (await app.as('admin')('GET', `/tickets?contactId=${created.body.id}`)).body.tickets
    expect([again.contact.name, again.status, again.id === ticket.id]).toEqual(['Élio Novo', 'pending', false])
    await app.db.updateTable('contact').set({ deletedAt: sql`app_now() - interval '31 days'` }).where('id', '=', old.id).execute()
    await eraseDeletedContacts(app)
    expect((await contactOf(number)).name).toBe('Élio Novo')
  }
})
