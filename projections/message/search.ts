import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Excerpt, excerpt } from '#domain/message/rules.ts'
import { searchable } from '#domain/text/rules.ts'
import type { Database } from '../database.ts'
import { containing } from '../postgres.ts'

/** Whether a message holds a text, accents and capitals ignored; what one of us took back says nothing any more. */
export const contains = (message: string, search: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${message}.words`)} like ${containing(searchable(search.trim()))} and ${sql.ref(`${message}.deletedBy`)} is distinct from 'us')`

/** As many messages as are found faster by their words than ticket by ticket. */
const few = 2000
/** The tickets with a message that holds a text; null where it is in more than a few. */
export async function ticketsHolding(db: Kysely<Database>, companyId: number, search: string): Promise<number[] | null> {
  const rows = await db
    .selectFrom('message')
    .select('ticketId')
    .where('companyId', '=', companyId)
    .where(contains('message', search))
    .limit(sql.lit(few + 1))
    .execute()
  return rows.length > few ? null : [...new Set(rows.map(({ ticketId }) => ticketId))]
}

export type Hit = { ticketId: number; messageId: number } & Excerpt
/** Of each ticket the newest message that holds a text. */
export async function hitsIn(db: Kysely<Database>, tickets: number[], search: string): Promise<Hit[]> {
  if (tickets.length === 0) return []
  const { rows } = await sql<{ ticketId: number; messageId: number; body: string }>`
    select distinct on (ticket_id) ticket_id, id as message_id, body from message
    where ticket_id = any(${tickets}::int[]) and ${contains('message', search)}
    order by ticket_id, revision desc`.execute(db)
  return rows.map(({ body, ...of }) => ({ ...of, ...around(body, search) }))
}

/** Where two letters side by side are written otherwise than each alone, the text is found and its place is not: then it begins the message. */
export const around = (body: string, search: string): Excerpt =>
  excerpt(body, search) ?? { before: '', hit: '', after: body.slice(0, 120).toWellFormed() }
