import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Viewer } from '#domain/access.ts'
import type { Database } from '#projections/database.ts'
import { listMessages, pageOf } from '#projections/message/read.ts'
import { openStore } from '#projections/postgres.ts'
import { freshDatabase } from '#tests/kit/postgres.ts'

/* One contact's conversation of three tickets, the second of 3,000 messages. */
let db: Kysely<Database>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await freshDatabase({ migrated: true })
  db = openStore(database.url, 2).db
  drop = database.drop
  await sql`insert into company (id, name) overriding system value values (1, 'Casa')`.execute(db)
  await sql`insert into contact (id, company_id, channel, number, number_key, name, is_group, extra_info)
    overriding system value values (1, 1, 'whatsapp', '5511911110001', '5511911110001', 'Maria', false, '[]')`.execute(db)
  for (const [id, queue, messages] of [
    [1, 1, 50],
    [2, 2, 3000],
    [3, 1, 5],
  ]) {
    await sql`insert into ticket (id, uuid, company_id, status, channel, is_group, is_bot, contact_id, whatsapp_id, queue_id, last_message,
      last_message_from_me, unread_messages, is_transfered, use_integration, revision, created_at, updated_at)
      values (${id}, gen_random_uuid(), 1, 'open', 'whatsapp', false, false, 1, 1, ${queue}, '', false, 0, false, true, 0, now(), now())`.execute(
      db,
    )
    await sql`insert into message (id, company_id, ticket_id, queue_id, body, words, from_me, is_edited, is_forwarded, is_private, ack, uncertain,
      media_type, reactions, revision, created_at)
      select ${id} * 10000 + (7919 * n) % 9973, 1, ${id}::int, ${queue}::int, 'palavra ' || n, 'palavra ' || n, false, false, false, false, 0, false,
        'chat', '[]', n * 2, now() from generate_series(1, ${messages}::int) n`.execute(db)
  }
  await sql`vacuum analyze message`.execute(db)
})
afterAll(async () => {
  await db?.destroy()
  await drop?.()
})

const viewer = (to: Partial<Viewer> = {}) =>
  ({ id: 1, companyId: 1, profile: 'admin', flags: {}, queueIds: [1], retiredQueueIds: [], ...to }) as unknown as Viewer
const url = () => 'file'

it('is cut from the conversation newest first, across its tickets, and told oldest first', async () => {
  const whole = (tickets: number[]) =>
    db
      .selectFrom('message')
      .select(['id', 'ticketId', 'revision'])
      .where('ticketId', 'in', tickets)
      .orderBy('ticketId')
      .orderBy('revision')
      .execute()
  const told = async (who: Viewer, queueIds: number[] = []) => {
    const all = []
    for (let pageNumber = 1, more = true; more; pageNumber++) {
      const page = await listMessages(db, who, { ticketId: 3, pageNumber, queueIds }, url)
      expect(page.messages).toHaveLength(page.hasMore ? 40 : page.messages.length)
      all.unshift(...page.messages.map(({ id, ticketId, revision }) => ({ id, ticketId, revision })))
      more = page.hasMore
    }
    return all
  }
  expect(await told(viewer())).toEqual(await whole([1, 2, 3]))
  expect(await told(viewer(), [2])).toEqual(await whole([2, 3]))
  expect(await told(viewer({ profile: 'user' }))).toEqual(await whole([1, 3])) // A-VIS-02: the second is in another's queue
  expect((await listMessages(db, viewer(), { ticketId: 3, pageNumber: 900, queueIds: [] }, url)).messages).toEqual([])
})

it('reads no row of the table, and of the index no more than the page, however long the conversation is', async () => {
  type Node = { 'Node Type': string; 'Index Name'?: string; 'Relation Name'?: string; 'Actual Rows': number; Plans?: Node[] }
  const page = pageOf(viewer(), { ticketId: 3, pageNumber: 1, queueIds: [] })
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>`explain (analyze, format json) ${page}`.execute(db)
  const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)]
  const plan = nodes(Object.values(rows[0]!)[0]![0].Plan)
  const walked = plan.filter((node) => node['Relation Name'] === 'message')
  expect(walked.map((node) => [node['Node Type'], node['Index Name'], node['Actual Rows']])).toEqual([
    ['Index Only Scan', 'message_in_order', 41],
  ])
  expect(plan.filter((node) => node['Node Type'].includes('Sort'))).toEqual([])
})
