import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, scene } from './scene.ts'

let on: Scene
let ticket: { id: number; uuid: string }
beforeAll(async () => {
  on = await scene()
  ticket = await on.says({ name: 'Tereza do Celular', number: '5511944480031' }, 'Sou eu.')
  const other = await on.says({ name: 'Tereza da Loja', number: '5511944480032' }, 'Também sou eu.')
  const db = new pg.Client({ connectionString: on.on.databaseUrl })
  await db.connect()
  await db.query(
    `insert into contact_duplicate (company_id, contact_id, duplicate_id)
      select company_id, contact_id, (select contact_id from ticket where id = $2) from ticket where id = $1`,
    [ticket.id, other.id],
  )
  await db.end()
})
afterAll(() => on?.clear())

it('the drawer names a duplicate contact and links to it', async () => {
  const admin = await on.enter('admin@demo.test', { at: `/tickets/${ticket.uuid}` })
  const { page } = admin
  await page.locator('[data-part=head-who]').click()
  const same = page.locator('[data-part=same-person]')
  await same.waitFor()
  await admin.shot('same-person')
  await same.getByRole('link', { name: 'Tereza da Loja' }).click()
  await page.getByRole('heading', { name: 'Tereza da Loja', level: 1 }).waitFor()
  expect(admin.wrong).toEqual([])
})
