import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ContactRow } from '#domain/contact/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'
import { at, type Described, described, nowhere, sample } from './described.ts'

let app: TestApp
let calls: Described[]
beforeAll(async () => {
  app = await startTestApp()
  calls = (await described(app)).filter(({ body }) => body !== null)
})
afterAll(() => app.stop())

describe('an unknown body field', () => {
  it('is refused by name and never dropped silently', async () => {
    await app.db.updateTable('user').set({ super: true }).where('id', '=', app.company.users.admin).execute() // a super user may send every call
    app.ctx.viewerCache.forget()
    const admin = app.as('admin')
    const wrong: string[] = []
    for (const call of calls) {
      const open = /\/auth\/(login|refresh)/.test(call.path)
      const body = { ...(sample(call.body!) as object), notOfThis: 1 }
      const answer = await (open ? app.stranger : admin)(call.method, at(call, nowhere(call)), body)
      if (answer.status !== 400 || answer.body.field !== 'notOfThis')
        wrong.push(`${call.method} ${call.path} ${JSON.stringify(answer.body)}`)
    }
    expect(wrong).toEqual([])
  })
  it('is not a field of the row: a client may send back the whole row', async () => {
    const admin = app.as('admin')
    const tag = (await admin('POST', '/tags', { name: 'Devolvida', color: '#123456' })).body
    expect((await admin('PUT', `/tags/${tag.id}`, { ...tag, name: 'Trocada' })).body).toMatchObject({ id: tag.id, name: 'Trocada' })
    const contact = (await admin('POST', '/contacts', { name: 'Volta', number: '5511911113333', extraInfo: [{ name: 'a', value: 'b' }] }))
      .body
    expect((await admin('PUT', `/contacts/${contact.id}`, { ...contact, companyId: 99, id: 1 })).body).toMatchObject({
      ...{ id: contact.id, companyId: contact.companyId, extraInfo: contact.extraInfo },
    })
  })
  it('is accepted unchanged in a row that the form would refuse', async () => {
    const admin = app.as('admin')
    const group = { id: '120363000000000001@g.us', name: 'Z' }
    await app.phone.says('5511911114444', 'oi', { name: 'Nilo', group })
    await app.settled()
    const row = (await admin('GET', '/contacts?isGroup=true')).body.contacts.find((one: ContactRow) => one.name === 'Z')
    expect((await admin('PUT', `/contacts/${row.id}`, { ...row, email: 'z@grupo.test' })).body).toMatchObject({
      ...{ number: group.id, name: 'Z', email: 'z@grupo.test' },
    })
    expect((await admin('PUT', `/contacts/${row.id}`, { ...row, name: 'Y' })).body).toMatchObject({
      error: 'ERR_INVALID_INPUT',
      field: 'name',
    })
    expect((await admin('PUT', `/contacts/${row.id}`, { number: '120363@g.us' })).body.field).toBe('number')
  })
  it('is refused by name if no row is sent back', async () => {
    const admin = app.as('admin')
    const made = await admin('POST', '/contacts', { name: 'Sem Rótulo', number: '5511911115555', channel: 'instagram' })
    expect([made.status, made.body.field]).toEqual([400, 'channel'])
    const { id } = (await admin('POST', '/contacts', { name: 'Ativa', number: '5511911116666' })).body
    const changed = await admin('PUT', `/contacts/${id}`, { active: false })
    expect([changed.status, changed.body.field]).toEqual([400, 'active'])
  })
  it('needs no permission for an unchanged ticket row; a changed field needs its own', async () => {
    const admin = app.as('admin')
    await app.phone.says('5511911117777', 'oi', { name: 'Grupo de volta', group: { id: '120363000000000002@g.us', name: 'Volta' } })
    await app.settled()
    const { tickets } = (await admin('GET', '/tickets?status=group')).body
    const row = tickets.find((one: TicketRow) => one.contact.name === 'Volta')
    expect((await admin('PUT', `/tickets/${row.id}`, row)).body).toEqual(row)
    expect((await admin('PUT', `/tickets/${row.id}`, { ...row, status: 'closed', sendFarewellMessage: false })).body.status).toBe('closed')
  })
})

describe('a malformed query that looks valid', () => {
  it.each([
    '/tickets?tags=[01]',
    '/tickets?users=[1,02]',
    '/tickets?queueIds=[00]',
    '/tickets?whatsappIds=[1e3]',
    '/tickets?statusFilter=["open",]',
    '/tickets?statusFilter=["open" "closed"]',
    '/tickets?date=2026-02-30',
    '/tickets?updatedAt=0000-00-00',
    '/tickets?pageNumber=1e9',
    '/tickets?pageNumber=99999999999999999999',
    '/tickets?pageSize=NaN',
    '/contacts?contactTag=[01]',
    '/messages/1?selectedQueues=[01]',
    '/whatsapp?session=1e300',
    '/tags/list?kanban=1e300',
    '/sandbox/1/outbox?after=1e300',
  ])('%s is refused', async (path) => {
    const { status, body } = await app.as('admin')('GET', path)
    expect([status, body.error]).toEqual([400, 'ERR_INVALID_INPUT'])
  })
  it('a list answers with every row that could be stored', async () => {
    const odd = { name: 'Pessoa', number: '5511911112222', extraInfo: [{ id: 'abc', name: 'CPF', value: '1' }] }
    expect((await app.as('admin')('POST', '/contacts', odd)).status).toBe(200) // the server sets the id and ignores this one
    const { status, body } = await app.as('admin')('GET', '/contacts?searchParam=5511911112222')
    expect([status, body.contacts[0].extraInfo]).toEqual([200, [{ id: 1, name: 'CPF', value: '1' }]])
  })
})
