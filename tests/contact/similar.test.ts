import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* Contacts that are proposed for a merge (A-MERGE-01). */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const create = async (name: string, number: string, email = ''): Promise<number> => {
  const { status, body } = await app.as('admin')('POST', '/contacts', { name, number, ...(email && { email }) })
  expect(status).toBe(200)
  return body.id
}
const proposed = async (id: number) =>
  (await app.as('admin')('GET', `/contacts/${id}/similar`)).body.map(({ contact, why }: any) => [contact.id, why])
/** A number as an older release or another program has stored it. */
const renumber = (id: number, number: string) =>
  app.db
    .updateTable('contact')
    .set({ number, numberKey: `+${number}` })
    .where('id', '=', id)
    .execute()

it('the same address, name or number in another form is proposed, and nothing is merged by itself (A-MERGE-01)', async () => {
  const iara = await create('Iara Reis', '5511987650001', 'Iara@x.test')
  const byMail = await create('Outra Pessoa', '5511987650002', 'iara@X.test')
  const byName = await create('iára  reis'.replace('  ', ' '), '5511987650003')
  const withoutNinth = await create('Sem Nono', '5511987650004')
  await renumber(withoutNinth, '551187650001')
  const local = await create('Sem País', '5511987650005')
  await renumber(local, '11987650001')
  const other = await create('Iara Reis Lima', '5511987650006')
  expect(await proposed(iara)).toEqual([
    [byMail, ['email']],
    [byName, ['name']],
    [withoutNinth, ['number']],
    [local, ['number']],
  ])
  expect(await proposed(other)).toEqual([])
  const { count } = (await app.as('admin')('GET', '/contacts?searchParam=8765000')).body
  expect(count).toBe(6)

  expect((await app.as('admin')('POST', `/contacts/${byName}/merge`, { targetId: iara })).status).toBe(200)
  expect((await proposed(iara)).map(([id]: [number]) => id)).toEqual([byMail, withoutNinth, local])
  expect(await proposed(byMail)).toEqual([[iara, ['email']]])
})
