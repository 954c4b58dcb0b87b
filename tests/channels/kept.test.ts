import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { forgetExpired } from '#app/inbound/inbound-journal.ts'
import type { Database } from '#projections/database.ts'
import { startTestApp, type TestApp } from '#tests/support/server.ts'

/* What channels keep about past messages: no names, numbers, texts or file names (C11). */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app?.stop())

/** Tables that may contain personal data in plain text, which an erasure removes. The sandbox tables are its phones. */
const plain = ['contact', 'contact_identity', 'message', 'note', 'sandbox_message', 'ticket']
const personalTexts = ['Zenaide Kropotkin', '11955557731', 'jabuticaba madura', 'pitanga verde', 'maracuja.pdf']

/** Every table of any schema with a row that contains one of these texts. */
async function holding(db: Kysely<Database>, words: string[]): Promise<string[]> {
  const { rows } = await sql<{ at: string; name: string }>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as at, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 2`.execute(db)
  const found: string[] = []
  for (const { at, name } of rows) {
    const any = sql.join(
      words.map((word) => sql`one::text ilike ${`%${word}%`}`),
      sql` or `,
    )
    if ((await sql`select from ${sql.raw(at)} one where ${any} limit 1`.execute(db)).rows.length > 0) found.push(name)
  }
  return found
}

it('no personal text remains in technical tables after processing', async () => {
  const [name, number, question, answer, file] = personalTexts as [string, string, string, string, string]
  const phone = `55${number}`
  const id = await app.phone.says(phone, question, { name })
  await app.settled()
  const { body } = await app.as('admin')('GET', `/tickets?status=search&searchParam=${encodeURIComponent(name)}`)
  const ticket = body.tickets[0]
  await app.as('admin')('PUT', `/tickets/${ticket.id}`, {
    status: 'open',
    userId: app.company.users.admin,
    queueId: app.company.queues.vendas,
  })
  const form = new FormData()
  form.append('body', answer)
  form.append('medias', new Blob(['%PDF-1.4\n%%EOF'], { type: 'application/pdf' }), file)
  expect((await app.as('admin')('POST', `/messages/${ticket.id}`, form)).status).toBe(200)
  await app.phone.says(phone, '', { id: 'r-1', name, reaction: '👍', quotedId: id })
  await app.settled()
  const entries = app.db.selectFrom('inboundEvent').select('externalId').orderBy('id')
  expect((await entries.execute()).length).toBeGreaterThan(1)
  await app.db.updateTable('inboundEvent').set({ forgetAt: sql`forget_at - interval '31 days'` }).execute()
  await forgetExpired(app)
  expect(await entries.execute()).toEqual([{ externalId: id }]) // for actions on a message not even the id
  expect(await holding(app.db, [question])).toContain('message') // proves that the search works
  expect((await holding(app.db, personalTexts)).filter((table) => !plain.includes(table))).toEqual([])
})
