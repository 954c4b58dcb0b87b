import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHouse, type TestHouse } from '#tests/kit/server.ts'

let house: TestHouse
beforeAll(async () => {
  house = await startHouse({ roles: ['web', 'projector'] })
})
afterAll(() => house?.stop())

it('leaves the lane of a contact alone when its labels are synced', async () => {
  const { tags, contacts, companies } = house.company
  await house.db.insertInto('contactTag').values({ companyId: companies.casa, contactId: contacts.maria, tagId: tags.pista }).execute()
  const sync = (ids: number[]) => house.as('ana')('POST', '/tags/sync', { contactId: contacts.maria, tags: ids.map((id) => ({ id })) })
  const names = ({ body }: { body: any }) => body.tags.map(({ name }: { name: string }) => name).sort()
  expect(names(await sync([tags.vip, tags.novo, tags.deles]))).toEqual(['Novo', 'Pista', 'VIP'])
  expect(names(await sync([]))).toEqual(['Pista'])
})

it('syncs many contacts at once, in whatever order they name their labels', async () => {
  const { tags, contacts } = house.company
  const sync = (i: number) =>
    house.as('ana')('POST', '/tags/sync', {
      contactId: i % 2 ? contacts.maria : contacts.joao,
      tags: (i % 3 ? [tags.vip, tags.novo] : [tags.novo]).map((id) => ({ id })),
    })
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => sync(i)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const { rows } = await house.house.pool.query(`
    select t.name from tag t where contacts_count <> (select count(*) from contact_tag ct where ct.tag_id = t.id)`)
  expect(rows).toEqual([])
})
