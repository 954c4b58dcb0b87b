import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, it } from 'vitest'
import type { Database } from '#projections/database.ts'
import { migrate } from '#projections/migrate.ts'
import { openStore } from '#projections/postgres.ts'
import { freshDatabase } from '#tests/support/postgres.ts'

/* What a change of thousands of rows tells whoever shows them: the same rows as ever, in few lines. */
const rows = 5000
const perLine = 300
const few = Math.floor(rows / perLine) + 1

/** Changes that come by the thousand, as a statement each, and the topics they are told under. */
const changes = {
  'labels given': 'insert into contact_tag (company_id, contact_id, tag_id) select 1, id, 1 from contact where id <= 5000',
  'labels taken': 'delete from contact_tag where contact_id <= 5000',
  'contacts renamed': `update contact set name = name || ' x' where id <= 5000`,
  'contacts touched': 'update contact set updated_at = now() where id <= 5000',
  'people here': `insert into user_presence (id, company_id, online, seen_at) select id, 1, true, now() from "user"`,
  'people seen again': 'update user_presence set seen_at = now()',
  'people gone': 'update user_presence set online = false',
  'queues given': 'insert into user_queue (company_id, user_id, queue_id) select 1, id, 1 from "user"',
  'queues taken': 'delete from user_queue',
  'failures put aside': 'insert into failure_dismissal (user_id, message_id, company_id) select 1, n, 1 from generate_series(1, 5000) n',
  'tickets closed': `update ticket set status = 'closed'`,
}
type Change = keyof typeof changes

async function delivered(): Promise<Record<Change, { lines: number; ids: Record<string, string[]> }>> {
  const database = await freshDatabase()
  const { db } = openStore(database.url, 1)
  const client = new pg.Client({ connectionString: database.url })
  try {
    await migrate(db)
    await fill(db)
    const lines: string[] = []
    await client.connect()
    client.on('notification', ({ payload = '' }) => lines.push(payload))
    await client.query('listen changes')
    const found = {} as Awaited<ReturnType<typeof delivered>>
    for (const [name, statement] of Object.entries(changes)) {
      await sql.raw(statement).execute(db)
      await sql`select pg_notify('changes', 'end')`.execute(db)
      while (lines.at(-1) !== 'end') await client.query('select 1')
      const ids: Record<string, string[]> = {}
      for (const line of lines.slice(0, -1)) {
        const [topic, op, , list = ''] = line.split(' ')
        const what = `${topic} ${op}`
        ids[what] = [...(ids[what] ?? []), ...list.split(',')]
      }
      for (const [topic, list] of Object.entries(ids)) ids[topic] = [...new Set(list)].sort()
      found[name as Change] = { lines: lines.length - 1, ids }
      lines.length = 0
    }
    const { rows: tags } = await sql<{ n: number }>`select contacts_count as n from tag`.execute(db)
    expect(tags).toEqual([{ n: 0 }])
    return found
  } finally {
    await client.end()
    await db.destroy()
    await database.drop()
  }
}

async function fill(db: Kysely<Database>): Promise<void> {
  await sql`insert into plan (name, flags) values ('p', '{}')`.execute(db)
  await sql`insert into company (name, plan_id) values ('c', 1)`.execute(db)
  await sql`insert into queue (company_id, name, color) values (1, 'q', '#123456')`.execute(db)
  await sql`insert into tag (company_id, name, color) values (1, 't', '#123456')`.execute(db)
  await sql`
    insert into "user" (company_id, name, email, password_hash, profile, flags)
    select 1, 'u' || n, 'u' || n || '@c', '', 'user', '{}' from generate_series(1, ${sql.lit(rows)}) n`.execute(db)
  await sql`
    insert into contact (company_id, name, number, number_key, channel)
    select 1, 'c' || n, n, n, 'whatsapp' from generate_series(1, ${sql.lit(rows)}) n`.execute(db)
  await sql`
    insert into ticket (id, uuid, company_id, contact_id, whatsapp_id, status, channel, is_group, is_bot, last_message, last_message_from_me,
      unread_messages, is_transfered, use_integration, revision, created_at, updated_at)
    select n, gen_random_uuid(), 1, n, 1, 'open', 'whatsapp', false, false, '', false, 0, false, false, 1, now(), now() from generate_series(1, ${sql.lit(rows)}) n`.execute(
    db,
  )
}

it('the same rows are notified as in the release before, per statement', async () => {
  const now = await delivered()
  const counts = (ids: Record<string, string[]>) => Object.fromEntries(Object.entries(ids).map(([topic, list]) => [topic, list.length]))
  expect(Object.fromEntries(Object.entries(now).map(([name, one]) => [name, counts(one.ids)]))).toEqual({
    'labels given': { 'contact update': rows, 'tag update': 1, 'ticket update': rows },
    'labels taken': { 'contact update': rows, 'tag update': 1, 'ticket update': rows },
    'contacts renamed': { 'contact update': rows, 'ticket update': rows },
    'contacts touched': { 'contact update': rows },
    'people here': { 'user presence': rows },
    'people seen again': {},
    'people gone': { 'user presence': rows },
    'queues given': { 'user update': rows },
    'queues taken': { 'user update': rows },
    'failures put aside': { 'appMessage update': rows },
    'tickets closed': { 'ticket update': rows },
  })
  const lines = Object.fromEntries(Object.entries(now).map(([name, one]) => [name, one.lines]))
  expect(lines).toEqual({
    ...{ 'labels given': 2 * few + 1, 'labels taken': 2 * few + 1, 'contacts renamed': 2 * few, 'contacts touched': few },
    ...{ 'people here': few, 'people seen again': 0, 'people gone': few, 'queues given': few, 'queues taken': few },
    ...{ 'failures put aside': few, 'tickets closed': few },
  })
})
