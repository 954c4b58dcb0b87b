import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { pageSize } from '#domain/answers.ts'
import type { MessageRow } from '#domain/message/contract.ts'
import { messageTopic } from '#domain/message/topic.ts'
import { contactsOfPerson } from '../contact/person.ts'
import type { Database } from '../database.ts'
import { cursorOf, isOlder, parseCursor } from '../message-search/filter.ts'
import { whereVisibleTo } from '../ticket/read.ts'
import { type MediaUrl, messagesById } from './read.ts'

/** The messages with a file in the tickets of a person that the viewer may see, newest first. Deleted messages show no file. */
export async function filesOfPerson(
  db: Kysely<Database>,
  viewer: Viewer,
  { contactId, cursor }: { contactId: number; cursor: string | undefined },
  url: MediaUrl,
): Promise<{ files: MessageRow[]; cursor: string | null }> {
  const after = parseCursor(cursor)
  let query = db
    .selectFrom('ticket')
    .innerJoin('message', 'message.ticketId', 'ticket.id')
    .select(['message.id', 'message.createdAt as at'])
    .where(whereVisibleTo(viewer, 'ticket') as never)
    .where('ticket.contactId', 'in', contactsOfPerson(contactId))
    .where('message.media', 'is not', null)
    .where('message.deletedBy', 'is', null)
  if (after) query = query.where(isOlder('message', after))
  const found = await query
    .orderBy('message.createdAt', 'desc')
    .orderBy('message.id', 'desc')
    .limit(sql.lit(pageSize + 1))
    .execute()
  const page = found.slice(0, pageSize)
  const last = page.at(-1)
  const ids = page.map(({ id }) => id)
  const rows = new Map((await messagesById(db, ids, url)).map((row) => [row.id, row]))
  const isStillShown = (row: MessageRow | undefined) => row?.mediaUrl && !row.isDeleted && messageTopic.sees(viewer, row) // it may have changed since
  return {
    files: ids.flatMap((id) => (isStillShown(rows.get(id)) ? [rows.get(id)!] : [])),
    cursor: found.length > pageSize && last ? cursorOf(last) : null,
  }
}
