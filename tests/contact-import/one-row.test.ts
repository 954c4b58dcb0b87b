import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const importing = (body: object, headers?: Record<string, string>) => app.as('ana')('POST', '/contactsImport', body, headers)

describe('the import of one row (A-IMP-03)', () => {
  it('completes the contact with the same number, with or without its ninth digit', async () => {
    const first = (await importing({ name: 'Rita', number: '11 98555-0001', email: 'rita@casa.test', tags: 'Feira' })).body
    const again = (await importing({ name: 'Rita Lopes', number: '551185550001', email: '', tags: 'feira, Nova' })).body
    expect(again).toMatchObject({ id: first.id, name: 'Rita Lopes', number: '5511985550001', email: 'rita@casa.test' })
    expect(again.tags.map(({ name }: { name: string }) => name)).toEqual(['Feira', 'Nova'])
    const { changes } = (await app.as('admin')('GET', `/audit?list=contact&rowId=${first.id}`)).body
    expect(changes?.length ?? 0).toBeGreaterThanOrEqual(3)
  })
  it('does the same command once', async () => {
    const headers = { 'x-command-id': 'row-once-1' }
    const body = { name: 'Uma Vez', number: '11955550002' }
    const [a, b] = [await importing(body, headers), await importing(body, headers)]
    expect([a.status, b.body.id]).toEqual([200, a.body.id])
  })
  it('creates one contact and one tag when two rows come at once', async () => {
    const rows = Array.from({ length: 8 }, (_, n) => importing({ name: `Par ${n}`, number: '11955550003', tags: 'Corrida, Outra' }))
    const ids = (await Promise.all(rows)).map(({ status, body }) => [status, body.id])
    expect(new Set(ids.map(String)).size).toBe(1)
    expect(ids[0]![0]).toBe(200)
    expect((await app.as('ana')('GET', '/tags?searchParam=corrida')).body.tags.length).toBe(1)
  })
})
