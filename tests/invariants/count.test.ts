import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { flags, type Viewer } from '#domain/access.ts'
import { numberKey } from '#domain/contact/rules.ts'
import type { TicketFilter } from '#domain/ticket/contract.ts'
import type { Database } from '#projections/database.ts'
import { listTickets } from '#projections/ticket/read.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { openTables } from '#tests/support/tables.ts'

/* The count of a list equals the rows on all of its pages, under any filter. */
const pageSize = 7
const throws = seededRandom(11)
const days = ['2026-01-05', '2026-01-06']
const names = ['José Açúcar', 'Maria', 'Ana Lúcia', 'Jose Silva']

let tables: Awaited<ReturnType<typeof openTables>>
let db: Kysely<Database>
beforeAll(async () => {
  tables = await openTables()
  db = tables.db
  await sql`insert into tag (id, company_id, name, color) overriding system value values (1, 1, 'VIP', '#111111'), (2, 1, 'Novo', '#222222')`.execute(
    db,
  )
  for (let id = 1; id <= 12; id++) {
    const number = `55119${80000000 + id}`
    await sql`insert into contact (id, company_id, name, number, number_key, channel, extra_info)
      overriding system value values (${id}, 1, ${names[id % names.length]!}, ${number}, ${numberKey(number)}, 'whatsapp', '[]')`.execute(
      db,
    )
    if (id % 3 === 0) await sql`insert into contact_tag (company_id, contact_id, tag_id) values (1, ${id}, ${1 + (id % 2)})`.execute(db)
  }
  for (let id = 1; id <= 160; id++) {
    const status = throws.of(['open', 'pending', 'closed', 'group'])
    const userId = status === 'pending' ? null : throws.of([7, 7, 8, null])
    const created = `${throws.of(days)}T12:00:00.000Z`
    const updated = `${throws.of(days)}T15:00:00.000Z`
    const failed = throws.chance(0.2) ? '[1]' : '[]'
    await sql`insert into ticket (id, uuid, company_id, status, channel, is_group, is_bot, contact_id, whatsapp_id, queue_id, user_id, last_message,
        last_message_from_me, failed_ids, unread_messages, is_transfered, use_integration, revision, created_at, updated_at, waiting_since)
      values (${id}, ${crypto.randomUUID()}, 1, ${status}, 'whatsapp', ${status === 'group'}, false, ${1 + throws.int(12)}, ${throws.of([1, 2])},
        ${throws.of([5, 6, 9, null])}, ${userId}, '', false, ${failed}::jsonb, ${throws.int(3)}, false, false, 0, ${created}, ${updated},
        ${status === 'pending' ? created : null})`.execute(db)
    if (throws.chance(0.5)) {
      const words = throws.of(['bom dia', 'orcamento do armario'])
      await sql`insert into message (id, company_id, ticket_id, body, words, from_me, is_edited, is_forwarded, is_private, ack, uncertain, media_type,
          reactions, revision, created_at)
        values (${id}, 1, ${id}, ${words}, ${words}, false, false, false, false, 0, false, 'chat', '[]', 1, ${created})`.execute(db)
    }
  }
  await sql`insert into ticket_counter (company_id, status, is_group, queue_id, user_id, tickets, unread)
    select company_id, status, is_group, coalesce(queue_id, 0), coalesce(user_id, 0), count(*), sum(unread_messages) from ticket
    group by 1, 2, 3, 4, 5`.execute(db)
})
afterAll(() => tables.drop())

const none = Object.fromEntries(flags.map((name) => [name, false])) as Viewer['flags']
const viewer = (of: Partial<Omit<Viewer, 'flags'>>, granted: Partial<Viewer['flags']>): Viewer => ({
  ...{
    id: 7,
    name: 'Ana',
    companyId: 1,
    profile: 'user',
    super: false,
    plan: {},
    masked: false,
    timeZone: 'America/Sao_Paulo',
    phoneCountry: 'BR' as const,
    companyLanguage: 'pt-BR' as const,
    queueIds: [5, 6],
    retiredQueueIds: [9],
    reportQueueIds: null,
  },
  ...of,
  flags: { ...none, ...granted },
})
const viewers = [
  viewer({ profile: 'admin' }, { allowGroup: true }),
  viewer({}, { allUserChat: true, allTicket: true, allowGroup: true }),
  viewer({ queueIds: [5] }, {}),
  viewer({ masked: true }, { allTicket: true }),
]

/** Parts of a filter, each present or absent at random. */
const parts: (() => TicketFilter)[] = [
  () => ({ status: throws.of(['open', 'pending', 'closed', 'group', 'search']) }),
  () => ({ statusFilter: throws.of(['["open","pending"]', '["closed"]', '["group","open","closed"]']) }),
  () => ({ showAll: true }),
  () => ({ tags: throws.of(['[1]', '[1,2]', '[]']) }),
  () => ({ users: throws.of(['[7]', '[7,8]']) }),
  () => ({ queueIds: throws.of(['[5]', '[5,6]', '[9]']) }),
  () => ({ whatsapps: throws.of(['[1]', '[2]']) }),
  () => ({ withUnreadMessages: true }),
  () => ({ withFailedMessages: true }),
  () => ({ date: throws.of(days) }),
  () => ({ updatedAt: throws.of(days) }),
  () => ({ contactId: 1 + throws.int(12) }),
  () => ({ searchParam: throws.of(['jose', 'acucar', 'Maria', '8000', '17', 'bom']) }),
  () => ({ searchParam: throws.of(['bom dia', 'armário']), searchOnMessages: true }),
]
const filters = [
  {},
  ...parts.map((part) => part()),
  ...Array.from({ length: 60 }, () => Object.assign({}, ...parts.filter(() => throws.chance(0.18)).map((part) => part())) as TicketFilter),
]

async function paged(viewer: Viewer, filter: TicketFilter) {
  const ids: number[] = []
  const counts = new Set<number>()
  for (let pageNumber = 1; ; pageNumber++) {
    const { tickets, hasMore, count } = await listTickets(db, viewer, { ...filter, pageNumber, pageSize })
    ids.push(...tickets.map(({ id }) => id))
    counts.add(count)
    if (!hasMore)
      return {
        ids,
        counts: [...counts],
        beyond: (await listTickets(db, viewer, { ...filter, pageNumber: pageNumber + 3, pageSize })).count,
      }
  }
}

it('every page of every ticket list states the number of all rows', async () => {
  let long = 0
  for (const who of viewers)
    for (const filter of filters) {
      const { ids, counts, beyond } = await paged(who, filter)
      expect({ who: who.id, filter, counts, beyond }).toEqual({ who: who.id, filter, counts: [ids.length], beyond: ids.length })
      expect(new Set(ids).size).toBe(ids.length)
      if (ids.length > pageSize) long++
    }
  expect(long).toBeGreaterThan(60) // otherwise no list had several pages
})
