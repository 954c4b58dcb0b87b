import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { placeholder } from './inbound-journal.ts'

type Person = { contactIds: number[]; connectionId: number }
/** Where a person's earlier message may stand: the active ticket first, then the latest ones. */
export async function ticketsOf(db: Kysely<Database>, { contactIds, connectionId }: Person): Promise<number[]> {
  const active = await db
    .selectFrom('activeTicket')
    .select('ticketId')
    .where('contactId', 'in', contactIds)
    .where('connectionId', '=', connectionId)
    .execute()
  const latest = await db
    .selectFrom('ticket')
    .select('id')
    .where('contactId', 'in', contactIds)
    .where('whatsappId', '=', connectionId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(5)
    .execute()
  return [...new Set([...active.map(({ ticketId }) => ticketId), ...latest.map(({ id }) => id)])]
}
/** Where it stands, or may stand, by what is known of its id: the ticket it was sent from, or those of the time when it came. */
async function ticketsOfThatTime(db: Kysely<Database>, { contactIds, connectionId }: Person, externalId: string): Promise<number[]> {
  const theirs = sql`whatsapp_id = ${connectionId} and contact_id = any(${contactIds}::int[])`
  const sent = sql`select ticket_id as id from outbox where connection_id = ${connectionId} and kind = 'send' and contact_id = any(${contactIds}::int[])`
  const { rows } = await sql<{ id: number }>`
    with came as (
      select min(received_at) as at from inbound_event
      where connection_id = ${connectionId} and external_id = any(${[externalId, externalId + placeholder]}::text[])
    )
    (${sent} and external_id = ${externalId}) union all (${sent} and provider_id = ${externalId})
    union all (select id from ticket where ${theirs} and created_at <= (select at from came) order by created_at desc, id desc limit 3)
    union all (select id from ticket where ${theirs} and created_at > (select at from came) order by created_at, id limit 2)`.execute(db)
  return rows.map(({ id }) => id)
}
/** Where this one may stand, however long ago it was said; what was imported is known by its id. */
export async function placesOf(db: Kysely<Database>, person: Person, externalId: string): Promise<number[]> {
  const imported = await db
    .selectFrom('importMessage')
    .innerJoin('importChat', 'importChat.id', 'importMessage.chatId')
    .innerJoin('ticket', 'ticket.id', 'importChat.ticketId')
    .select('ticket.id')
    .where('importMessage.connectionId', '=', person.connectionId)
    .where('importMessage.externalId', '=', externalId)
    .where('ticket.contactId', 'in', person.contactIds)
    .executeTakeFirst()
  if (imported) return [imported.id]
  return [...new Set([...(await ticketsOf(db, person)), ...(await ticketsOfThatTime(db, person, externalId))])]
}
