import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { maskMentions } from '#domain/contact/mask.ts'
import { asksForNumber, digits } from '#domain/contact/rules.ts'
import { type Excerpt, excerpt } from '#domain/message/rules.ts'
import { searchable } from '#domain/text/rules.ts'
import type { Database } from '../database.ts'
import { likePattern } from '../postgres.ts'

type Reader = Pick<Viewer, 'masked'>
/** Whether a message contains a text, ignoring accents and case. A message deleted by an agent never matches. */
export const contains = (reader: Reader, message: string, search: string): RawBuilder<boolean> =>
  sql<boolean>`(${holds(reader, sql.ref(`${message}.words`), search)} and ${sql.ref(`${message}.deletedBy`)} is distinct from 'us')`

/**
 * A masked reader finds a mentioned number only by the whole number, because parts would reveal it digit by
 * digit (A-LGPD-04).
 */
export function holds({ masked }: Reader, words: RawBuilder<unknown>, search: string): RawBuilder<boolean> {
  const sought = likePattern(searchable(search.trim()).replace(/\s+/g, ' '))
  const found = sql<boolean>`${words} like ${sought}`
  if (!masked || !/\d/.test(search)) return found
  const shown = sql<boolean>`(${found} and regexp_replace(${words}, '@[0-9]{8,15}\\M', '@', 'g') like ${sought})`
  return asksForNumber(search) ? sql`(${shown} or ${words} ~ ${`@${digits(search)}\\M`})` : shown
}

/** Up to this many matches, one search over all messages is faster than one per ticket. */
const few = 2000
/** The tickets with a message that contains the text; null: more than `few`. */
export async function ticketsContaining(db: Kysely<Database>, viewer: Viewer, search: string): Promise<number[] | null> {
  const rows = await db
    .selectFrom('message')
    .select('ticketId')
    .where('companyId', '=', viewer.companyId)
    .where(contains(viewer, 'message', search))
    .limit(sql.lit(few + 1))
    .execute()
  return rows.length > few ? null : [...new Set(rows.map(({ ticketId }) => ticketId))]
}

export type Hit = { ticketId: number; messageId: number } & Excerpt
/** The newest matching message of each ticket. */
export async function hitsIn(db: Kysely<Database>, reader: Reader, tickets: number[], search: string): Promise<Hit[]> {
  if (tickets.length === 0) return []
  const { rows } = await sql<{ ticketId: number; messageId: number; body: string; file: string | null }>`
    select distinct on (ticket_id) ticket_id, id as message_id, body, media ->> 'name' as file from message
    where ticket_id = any(${tickets}::int[]) and ${contains(reader, 'message', search)}
    order by ticket_id, revision desc`.execute(db)
  return rows.map(({ body, file, ...of }) => ({ ...of, ...around(reader, body, search, file) }))
}

/**
 * Some letters are normalised differently next to each other. Then the match has no position, and the excerpt
 * starts at the beginning. `file`: its name, which may have the match instead of the text.
 */
export function around({ masked }: Reader, body: string, search: string, file: string | null = null): Excerpt {
  const shown = masked ? maskMentions(body) : body
  const inText = excerpt(shown, search)
  const inFile = inText || file === null ? null : excerpt(masked ? maskMentions(file) : file, search)
  if (inFile) return { ...inFile, before: `📎 ${inFile.before}` }
  return inText ?? { before: '', hit: '', after: shown.slice(0, 120).toWellFormed() }
}
