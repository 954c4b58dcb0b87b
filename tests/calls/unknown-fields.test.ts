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
