import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { placeholder } from './inbound-journal.ts'

type Person = { contactIds: number[]; connectionId: number }
/** Returns the tickets that may contain an earlier message of a person: the active ticket first, then the latest ones. */
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
/** Returns the ticket that the message was sent from, or the tickets of the time when it was received. */
async function ticketsOfThatTime(db: Kysely<Database>, { contactIds, connectionId }: Person, externalId: string): Promise<number[]> {
  const isOfPerson = sql`whatsapp_id = ${connectionId} and contact_id = any(${contactIds}::int[])`
  const sentFrom = sql`select ticket_id as id from outbox where connection_id = ${connectionId} and kind = 'send' and contact_id = any(${contactIds}::int[])`
  const { rows } = await sql<{ id: number }>`
    with receipt as (
      select min(received_at) as at from inbound_event
      where connection_id = ${connectionId} and external_id = any(${[externalId, externalId + placeholder]}::text[])
    )
    (${sentFrom} and external_id = ${externalId}) union all (${sentFrom} and provider_id = ${externalId})
    union all (select id from ticket where ${isOfPerson} and created_at <= (select at from receipt) order by created_at desc, id desc limit 3)
    union all (select id from ticket where ${isOfPerson} and created_at > (select at from receipt) order by created_at, id limit 2)`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}
/** Returns the tickets that may contain this message, however old it is. An imported message is found by its id. */
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
