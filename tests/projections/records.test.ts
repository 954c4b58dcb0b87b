import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openStore } from '#projections/postgres.ts'
import { freshDatabase } from '#tests/support/postgres.ts'

it('result rows become records by the columns of the result', async () => {
  const database = await freshDatabase()
  const { db } = openStore(database.url, 1)
  try {
    const odd = 'it\'s "a" `name`\\'
    const asked = await sql`select n as contact_id, null as "user_id", 'x' as ${sql.id(odd)} from generate_series(1, 2) n`.execute(db)
    expect(asked.rows).toEqual([1, 2].map((contactId) => ({ contactId, userId: null, [odd]: 'x' })))
    expect((await sql`select 'u' as user_id, 'c' as contact_id`.execute(db)).rows).toEqual([{ userId: 'u', contactId: 'c' }])
    expect((await sql`select 1 as "a b", 2 as c`.execute(db)).rows).toEqual([{ 'a b': 1, c: 2 }])
    expect((await sql`select 1 as a, 2 as "b c"`.execute(db)).rows).toEqual([{ a: 1, 'b c': 2 }])
    expect((await sql`select 1 as a where false`.execute(db)).rows).toEqual([])
  } finally {
    await db.destroy()
    await database.drop()
  }
})
