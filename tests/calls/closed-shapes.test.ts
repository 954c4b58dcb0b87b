import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'
import { at, type Described, described, nowhere, sample } from './described.ts'

let house: TestHouse
let calls: Described[]
beforeAll(async () => {
  house = await startHouse()
  calls = (await described(house)).filter(({ body }) => body !== null)
}, 30_000)
afterAll(() => house.stop(), 30_000)

describe('a field that a body does not know', () => {
  it('is refused by its name, and nothing is dropped in silence', async () => {
    const admin = house.as('admin')
    const wrong: string[] = []
    for (const call of calls) {
      const open = /\/auth\/(login|refresh)/.test(call.path)
      const body = { ...(sample(call.body!) as object), notOfThis: 1 }
      const answer = await (open ? house.stranger : admin)(call.method, at(call, nowhere(call)), body)
      if (answer.status !== 400 || answer.body.field !== 'notOfThis')
        wrong.push(`${call.method} ${call.path} ${JSON.stringify(answer.body)}`)
    }
    expect(wrong).toEqual([])
  })
  it('is not one that the row has: a client may send back what it was given', async () => {
    const admin = house.as('admin')
    const tag = (await admin('POST', '/tags', { name: 'Devolvida', color: '#123456' })).body
    expect((await admin('PUT', `/tags/${tag.id}`, { ...tag, name: 'Trocada' })).body).toMatchObject({ id: tag.id, name: 'Trocada' })
    const contact = (await admin('POST', '/contacts', { name: 'Volta', number: '5511911113333', extraInfo: [{ name: 'a', value: 'b' }] }))
      .body
    const { number: _, ...rest } = contact
    expect((await admin('PUT', `/contacts/${contact.id}`, { ...rest, companyId: 99, id: 1 })).body).toMatchObject({
      ...{ id: contact.id, companyId: contact.companyId, extraInfo: contact.extraInfo },
    })
  })
})

describe('a query that looks right and is not', () => {
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
    const { status, body } = await house.as('admin')('GET', path)
    expect([status, body.error]).toEqual([400, 'ERR_INVALID_INPUT'])
  })
  it('cannot store what a list could not answer with', async () => {
    const odd = { name: 'Pessoa', number: '5511911112222', extraInfo: [{ id: 'abc', name: 'CPF', value: '1' }] }
    expect((await house.as('admin')('POST', '/contacts', odd)).status).toBe(200) // its id is ours, and ignored
    const { status, body } = await house.as('admin')('GET', '/contacts?searchParam=5511911112222')
    expect([status, body.contacts[0].extraInfo]).toEqual([200, [{ id: 1, name: 'CPF', value: '1' }]])
  })
})
