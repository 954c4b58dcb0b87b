import { type Kysely, sql } from 'kysely'
import type { TicketEvent } from '#domain/ticket/events.ts'
import type { Database } from '../database.ts'
import { thread } from '../message/thread.ts'
import { notes } from '../note/notes.ts'
import type { Fold, PersistedEvent } from '../projector.ts'
import { storable } from '../row-writer.ts'
import { inbox } from '../ticket/inbox.ts'
import { log } from '../ticket/log.ts'
import { ticketProjector } from '../ticket/projector.ts'

/** The rows that a fold gives for the events of one stream. */
function folded<Row extends object>(fold: Fold<TicketEvent, Row>, events: readonly PersistedEvent<TicketEvent>[]): Row[] {
  const rows = new Map<string | number, Row | null>()
  for (const event of events) {
    const next = fold.on[event.type]
    if (next) for (const key of fold.affectedKeys(event)) rows.set(key, next(rows.get(key) ?? null, event as never, key, rows))
    if (fold.deletesWhere && event.type in fold.deletesWhere.on) rows.clear()
  }
  return [...rows.values()].filter((row) => row !== null)
}

/**
 * Writes the texts of a ticket's rows as the events give them now, after some can no longer be opened. Numbers and dates stay. Returns false if the
 * projector has applied more events than these: read again. The lock prevents that the projector writes rows that it read before.
 */
export const rewriteTexts = (db: Kysely<Database>, ticketId: number, events: readonly PersistedEvent<TicketEvent>[]): Promise<boolean> =>
  db.transaction().execute(async (on) => {
    await on.selectFrom('checkpoint').select('name').where('name', '=', ticketProjector.name).forUpdate().execute()
    const row = await on.selectFrom('ticket').select('revision').where('id', '=', ticketId).executeTakeFirst()
    if (!row) return true // deleted: nothing but its events is left
    if ((events.at(-1)?.revision ?? -1) < row.revision) return false
    const applied = events.filter(({ revision }) => revision <= row.revision)
    await writeMessages(on, folded(thread, applied))
    await sql`update note n set note = w.note from jsonb_to_recordset(${storable(folded(notes, applied))}::jsonb) as w(id int, note text)
      where n.id = w.id and n.note is distinct from w.note`.execute(on)
    await sql`update ticket_log l set note = w.note from jsonb_to_recordset(${storable(folded(log, applied))}::jsonb) as w(id text, note text)
      where l.id = w.id and l.note is distinct from w.note`.execute(on)
    for (const { lastMessage, lastMessageSender, lastMessageSeconds, lastMessageFile, transfer } of folded(inbox, applied))
      await on
        .updateTable('ticket')
        .set({
          lastMessage,
          lastMessageSender,
          lastMessageSeconds,
          lastMessageFile,
          transfer: transfer && sql`${JSON.stringify(transfer)}::jsonb`,
        })
        .where('id', '=', ticketId)
        .execute()
    return true
  })

const batchSize = 500
async function writeMessages(on: Kysely<Database>, rows: ReturnType<typeof folded<any>>): Promise<void> {
  for (let from = 0; from < rows.length; from += batchSize)
    await sql`
      update message m set body = w.body, words = w.words, sender_name = w."senderName", media = w.media, v_card = w."vCard",
        template = w.template, interactive = w.interactive, about = w.about, reactions = w.reactions
      from jsonb_to_recordset(${storable(rows.slice(from, from + batchSize))}::jsonb) as w(id int, body text, words text, "senderName" text,
        media jsonb, "vCard" text, template jsonb, interactive jsonb, about jsonb, reactions jsonb)
      where m.id = w.id and (m.body, m.sender_name, m.media, m.v_card, m.template, m.interactive, m.about, m.reactions)
        is distinct from (w.body, w."senderName", w.media, w."vCard", w.template, w.interactive, w.about, w.reactions)`.execute(on)
}
