import { type Kysely, type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Viewer } from '#domain/access.ts'
import type { Database } from '#projections/database.ts'
import { canReadTicket, countMessages, listMessages, listMessagesFrom, pageFrom, pageOf, searchThread } from '#projections/message/read.ts'
import { openStore } from '#projections/postgres.ts'
import { freshDatabase } from '#tests/support/postgres.ts'

/* One contact's conversation of four tickets. The second has 3,000 messages; the first was imported after the others. */
let db: Kysely<Database>
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await freshDatabase({ migrated: true })
  db = openStore(database.url, 2).db
  drop = database.drop
  await sql`insert into company (id, name) overriding system value values (1, 'Casa')`.execute(db)
  await sql`insert into contact (id, company_id, channel, number, number_key, name, is_group, extra_info)
    overriding system value values (1, 1, 'whatsapp', '5511911110001', '5511911110001', 'Maria', false, '[]')`.execute(db)
  for (const [id, queue, messages, daysAgo] of [
    [1, 1, 50, 3],
    [2, 2, 3000, 2],
    [3, 1, 5, 2],
    [9, 1, 30, 90],
  ]) {
    await sql`insert into ticket (id, uuid, company_id, status, channel, is_group, is_bot, contact_id, whatsapp_id, queue_id, last_message,
      last_message_from_me, unread_messages, is_transfered, use_integration, revision, created_at, updated_at)
      values (${id}, gen_random_uuid(), 1, 'open', 'whatsapp', false, false, 1, 1, ${queue}, '', false, 0, false, true, 0, date_trunc('day', now()) - ${daysAgo} * interval '1 day', now())`.execute(
      db,
    )
    await sql`insert into message (id, company_id, ticket_id, queue_id, body, words, from_me, is_edited, is_forwarded, is_private, ack, uncertain,
      media_type, reactions, revision, created_at)
      select ${id} * 10000 + (7919 * n) % 9973, 1, ${id}::int, ${queue}::int, 'palavra ' || n, 'palavra ' || n, false, false, false, false, 0, false,
        'chat', '[]', n * 2, now() from generate_series(1, ${messages}::int) n`.execute(db)
  }
  await sql`vacuum analyze message, ticket`.execute(db)
})
afterAll(async () => {
  await db?.destroy()
  await drop?.()
})

const viewer = (to: Partial<Viewer> = {}) =>
  ({ id: 1, companyId: 1, profile: 'admin', flags: {}, queueIds: [1], retiredQueueIds: [], ...to }) as unknown as Viewer
const url = () => 'file'

it('pages are cut newest first across tickets and listed oldest first', async () => {
  const whole = async (tickets: number[]) => {
    const of = db.selectFrom('message').select(['id', 'ticketId', 'revision']).where('ticketId', 'in', tickets).orderBy('revision')
    const rows = await of.execute()
    return tickets.flatMap((ticketId) => rows.filter((row) => row.ticketId === ticketId))
  }
  const listed = async (who: Viewer, queueIds: number[] = []) => {
    const all = []
    for (let pageNumber = 1, more = true; more; pageNumber++) {
      const page = await listMessages(db, who, { ticketId: 3, pageNumber, queueIds }, url)
      expect(page.messages).toHaveLength(page.hasMore ? 40 : page.messages.length)
      all.unshift(...page.messages.map(({ id, ticketId, revision }) => ({ id, ticketId, revision })))
      more = page.hasMore
    }
    return all
  }
  expect(await listed(viewer())).toEqual(await whole([9, 1, 2, 3]))
  expect(await listed(viewer(), [2])).toEqual(await whole([2, 3]))
  expect(await listed(viewer({ profile: 'user' }))).toEqual(await whole([9, 1, 3])) // A-VIS-02: the second is in a queue of others
  expect((await listMessages(db, viewer(), { ticketId: 3, pageNumber: 900, queueIds: [] }, url)).messages).toEqual([])
})

it('from any message the conversation is read in both directions, across tickets, each message once', async () => {
  const part = { ticketId: 3, queueIds: [] }
  const ids = async (cursorId: number, direction: 'older' | 'newer', who = viewer()) => {
    const page = await listMessagesFrom(db, who, { ...part, cursorId, direction }, url)
    return page && { ids: page.messages.map(({ id }) => id), hasMore: page.hasMore }
  }
  const all = (await listMessages(db, viewer(), { ...part, pageNumber: 1 }, url)).messages.map(({ id }) => id)
  for (let more = true; more; ) {
    const page = (await ids(all[0]!, 'older'))!
    expect(page.ids).toHaveLength(page.hasMore ? 40 : page.ids.length)
    all.unshift(...page.ids)
    more = page.hasMore
  }
  expect(all).toHaveLength(50 + 30 + 3000 + 5)
  for (const at of [0, 25, 60, 79, 80, 1500, 3079, 3080, all.length - 1]) {
    expect(await ids(all[at]!, 'older')).toEqual({ ids: all.slice(Math.max(0, at - 40), at), hasMore: at > 40 })
    expect(await ids(all[at]!, 'newer')).toEqual({ ids: all.slice(at, at + 40), hasMore: at + 40 < all.length })
  }
  const agent = viewer({ profile: 'user' })
  expect(await ids(all[1500]!, 'newer', agent)).toBeNull() // A-VIS-02: the second ticket is in a queue of others
  expect((await ids(all[79]!, 'newer', agent))!.ids.slice(1)).toEqual(all.slice(-5))
  expect(await listMessagesFrom(db, viewer(), { ticketId: 1, queueIds: [], cursorId: all.at(-1)!, direction: 'older' }, url)).toBeNull()
})

it('search, count and visibility order tickets by date, not by import', async () => {
  const { messages } = await searchThread(db, viewer(), 1, 'palavra 30', 1)
  expect(messages.map(({ ticketId }) => ticketId)).toEqual([1, 9])
  expect(messages.map(({ pageNumber }) => pageNumber)).toEqual([1, 2])
  expect(await countMessages(db, viewer(), 1)).toEqual({ messages: 50, earlier: 30 })
  expect(await countMessages(db, viewer(), 9)).toEqual({ messages: 30, earlier: 0 })
  const agent = viewer({ profile: 'user', queueIds: [2] }) // sees only the second ticket, and earlier ones without a queue or in this queue
  await db.updateTable('ticket').set({ queueId: null }).where('id', '=', 9).execute()
  expect(await canReadTicket(db, agent, 9)).toBe(true)
  expect(await canReadTicket(db, agent, 3)).toBe(false)
  await db.updateTable('ticket').set({ queueId: 1 }).where('id', '=', 9).execute()
})

it('a page reads only the index, and at most a page of each ticket', async () => {
  const newest = pageOf(viewer(), { ticketId: 3, pageNumber: 1, queueIds: [] })
  const { messages } = await listMessages(db, viewer(), { ticketId: 3, pageNumber: 40, queueIds: [] }, url)
  const from = { ticketId: 3, queueIds: [], cursorId: messages[0]!.id }
  await readsOnlyThePage(newest)
  await readsOnlyThePage(pageFrom(viewer(), { ...from, direction: 'older' }))
  await readsOnlyThePage(pageFrom(viewer(), { ...from, direction: 'newer' }))
})

async function readsOnlyThePage(page: RawBuilder<unknown>): Promise<void> {
  type Node = {
    'Node Type': string
    'Index Name'?: string
    'Relation Name'?: string
    'Actual Rows': number
    'Actual Loops': number
    Plans?: Node[]
  }
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>`explain (analyze, format json) ${page}`.execute(db)
  const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)]
  const plan = nodes(Object.values(rows[0]!)[0]![0].Plan)
  const walked = plan.filter((node) => node['Relation Name'] === 'message' && node['Index Name'] !== 'message_pkey') // the cursor has its own index
  expect(new Set(walked.map((node) => `${node['Node Type']} ${node['Index Name']}`))).toEqual(new Set(['Index Only Scan message_in_order']))
  const read = walked.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0)
  expect(read).toBeLessThanOrEqual(4 * (1 + 41)) // one row to check each ticket, and a page
}
