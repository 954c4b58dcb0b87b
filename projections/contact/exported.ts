import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { maskMentions } from '#domain/contact/mask.ts'
import type { Database } from '../database.ts'
import { whereVisibleTo } from '../ticket/read.ts'
import { type ContactFilter, filteredContacts } from './read.ts'

/** The extra fields of the listed contacts, one entry for each value that a contact has of a field, and whether a contact has notes. */
export async function contactColumns(db: Kysely<Database>, viewer: Viewer, filter: ContactFilter) {
  const listed = filteredContacts(db, viewer, filter)
  const { rows } = await sql<{ name: string; most: number }>`
    select name, max(n)::int as most from (
      select info->>'name' as name, count(*) as n
      from (${listed.select(['id', 'extraInfo'])}) c, jsonb_array_elements(c.extra_info) info group by c.id, 1) counted
    group by name order by name`.execute(db)
  const extra = rows.flatMap(({ name, most }) => Array.from({ length: most }, (_, nth) => ({ name, nth })))
  const noted = visibleNotes(db, viewer).select('note.id').where('own.personId', 'in', listed.select('id')).limit(1)
  return { extra, hasNotes: (await noted.executeTakeFirst()) !== undefined }
}

/** The notes of these contacts in tickets that the viewer may see, oldest first. */
export async function notesOfContacts(db: Kysely<Database>, viewer: Viewer, list: { id: number }[]): Promise<Map<number, string[]>> {
  const ids = list.map(({ id }) => id)
  const notes = visibleNotes(db, viewer).select(['own.personId', 'note.note']).where(sql<boolean>`own.person_id = any(${ids})`)
  const rows = await notes.orderBy('note.id').execute()
  const text = (note: string) => (viewer.masked ? maskMentions(note) : note)
  const byContact = Map.groupBy(rows, ({ personId }) => personId)
  return new Map([...byContact].map(([id, of]) => [id, of.map(({ note }) => text(note))]))
}

const visibleNotes = (db: Kysely<Database>, viewer: Viewer) =>
  db
    .selectFrom('note')
    .innerJoin('ticket', 'ticket.id', 'note.ticketId')
    .innerJoin('contact as own', 'own.id', 'ticket.contactId')
    .where('note.companyId', '=', viewer.companyId)
    .where(whereVisibleTo(viewer, 'ticket'))
