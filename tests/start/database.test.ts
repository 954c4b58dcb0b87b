import pg from 'pg'
import { expect, it } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'

const exists = async (url: string, table: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select to_regclass($1) is not null as there', [table])
  await client.end()
  return rows[0].there as boolean
}

it('every test file gets an empty database of its own', async () => {
  const one = await freshDatabase()
  const two = await freshDatabase()
  const client = new pg.Client({ connectionString: one.url })
  client.on('error', () => {}) // dropping the database ends this connection
  await client.connect()
  await client.query('create table mine ()')
  expect([await exists(one.url, 'mine'), await exists(two.url, 'mine')]).toEqual([true, false])
  await Promise.all([one.drop(), two.drop()])
  await expect(exists(one.url, 'mine')).rejects.toMatchObject({ code: '3D000' })
})
