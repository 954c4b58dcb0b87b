import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import type { LiveNote } from '#domain/note/contract.ts'
import type { Database } from '../database.ts'
import { threadOf } from '../message/read.ts'

/** A ticket's notes, newest first. */
export const notesOf = (db: Kysely<Database>, ticketId: number): Promise<LiveNote[]> => notesBy(db, sql`n.ticket_id = ${ticketId}`)
/** The notes of all tickets of the conversation (A-VIS-02). */
export const conversationNotes = (db: Kysely<Database>, viewer: Viewer, ticketId: number): Promise<LiveNote[]> =>
  notesBy(db, sql`n.ticket_id in ${threadOf(viewer, ticketId)}`)
export const notesById = (db: Kysely<Database>, ids: number[]): Promise<LiveNote[]> => notesBy(db, sql`n.id = any(${ids}::int[])`)

async function notesBy(db: Kysely<Database>, which: RawBuilder<unknown>): Promise<LiveNote[]> {
  const { rows } = await sql<LiveNote>`
    select n.id, n.company_id, n.note, n.ticket_id, own.person_id as contact_id, n.created_at,
      json_build_object('status', t.status, 'queueId', t.queue_id, 'userId', t.user_id, 'isGroup', t.is_group) as ticket,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as "user"
    from note n join ticket t on t.id = n.ticket_id join contact own on own.id = t.contact_id left join "user" u on u.id = n.user_id
    where ${which} order by n.id desc`.execute(db)
  return rows
}
