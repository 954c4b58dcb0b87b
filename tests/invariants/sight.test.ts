import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { flags, type Viewer } from '#domain/access.ts'
import { canSee } from '#domain/ticket/topic.ts'
import type { Database } from '#projections/database.ts'
import { whereVisibleTo } from '#projections/ticket/read.ts'
import { openTables } from '#tests/support/tables.ts'

/* A list is filtered in SQL and a frame by a predicate. Both are one rule for every combination (A-VIS-01). */
type Row = { id: number; companyId: number; status: 'open' | 'closed'; isGroup: boolean; queueId: number | null; userId: number | null }

const both = [true, false]
const rows: Row[] = [1, 2].flatMap((companyId) =>
  both.flatMap((isGroup) =>
    [null, 5, 6, 9].flatMap((queueId) =>
      [null, 7, 8].flatMap((userId) =>
        (['open', 'closed'] as const).map((status) => ({ id: 0, companyId, status, isGroup, queueId, userId })),
      ),
    ),
  ),
)
rows.forEach((row, i) => {
  row.id = i + 1
})

const viewers: Viewer[] = (['admin', 'user'] as const).flatMap((profile) =>
  both.flatMap((allTicket) =>
    both.flatMap((allUserChat) =>
      both.flatMap((allowGroup) =>
        [
          [[], []],
          [[5], []],
          [[5, 6], []],
          [[5], [9]],
          [[], [5, 9]],
        ].map(([queueIds = [], retiredQueueIds = []]) => ({
          ...{
            id: 7,
            name: 'Ana',
            companyId: 1,
            profile,
            super: false,
            plan: {},
            masked: false,
            timeZone: 'America/Sao_Paulo',
            phoneCountry: 'BR' as const,
            companyLanguage: 'pt-BR' as const,
            queueIds,
            retiredQueueIds,
            reportQueueIds: null,
          },
          flags: { ...(Object.fromEntries(flags.map((name) => [name, false])) as Viewer['flags']), allTicket, allUserChat, allowGroup },
        })),
      ),
    ),
  ),
)

let tables: Awaited<ReturnType<typeof openTables>>
let db: Kysely<Database>
beforeAll(async () => {
  tables = await openTables()
  db = tables.db
  const at = '2026-01-05T12:00:00.000Z'
  const rest = {
    channel: 'whatsapp',
    isBot: false,
    contactId: 1,
    whatsappId: 1,
    lastMessage: '',
    lastMessageFromMe: false,
    lastMessageDeleted: false,
    lastMessageElsewhere: false,
    failedIds: JSON.stringify([]) as never,
  } as const
  const more = {
    unreadMessages: 0,
    isTransfered: false,
    useIntegration: false,
    revision: 0,
    createdAt: at,
    updatedAt: at,
    openedAt: null,
    closedAt: null,
  }
  await db
    .insertInto('ticket')
    .values(rows.map((row) => ({ ...row, uuid: crypto.randomUUID(), ...rest, ...more })))
    .execute()
  /* In this test the unread count of a counter row is its ticket's id, so that a result shows which rows matched. */
  await db
    .insertInto('ticketCounter')
    .values(
      rows.map(({ companyId, status, isGroup, queueId, userId, id }) => ({
        ...{ companyId, isGroup, status, queueId: queueId ?? 0, userId: userId ?? 0, tickets: 1, unread: id },
      })),
    )
    .execute()
})
afterAll(() => tables.drop())

const inSightOf = (viewer: Viewer) => rows.filter((row) => row.companyId === viewer.companyId && canSee(viewer, row)).map(({ id }) => id)

it('the test data shows different tickets to different viewers', () => {
  expect(viewers).toHaveLength(80)
  expect(new Set(viewers.map((viewer) => inSightOf(viewer).join())).size).toBeGreaterThan(12)
})

it('SQL and the predicate find the same rows', async () => {
  for (const viewer of viewers) {
    const found = await db.selectFrom('ticket').select('id').where(whereVisibleTo(viewer, 'ticket')).orderBy('id').execute()
    expect({ viewer, ids: found.map(({ id }) => id) }).toEqual({ viewer, ids: inSightOf(viewer) })
  }
})

it('SQL and the predicate count the same rows', async () => {
  for (const viewer of viewers) {
    const found = await db
      .selectFrom('ticketCounter')
      .select(sql<number>`unread`.as('id'))
      .where(whereVisibleTo(viewer, 'ticketCounter') as never)
      .orderBy('unread')
      .execute()
    expect({ viewer, ids: found.map(({ id }) => id) }).toEqual({ viewer, ids: inSightOf(viewer) })
  }
})
