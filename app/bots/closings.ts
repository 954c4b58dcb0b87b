import type { Kysely } from 'kysely'
import { hourMs } from '#domain/duration/rules.ts'
import { contactsOfPerson } from '#projections/contact/person.ts'
import type { Database } from '#projections/database.ts'

/**
 * Another bot answers each farewell with a message, which opens a ticket again. After this many closings
 * within an hour, agents take over.
 */
const closingLimit = 5

/** Returns whether enough of the contact's tickets were closed without an agent in the hour before. */
export async function hasTooManyClosings(db: Kysely<Database>, companyId: number, contactId: number, at: string): Promise<boolean> {
  const closed = db
    .selectFrom('ticket')
    .innerJoin('ticketLog', 'ticketLog.ticketId', 'ticket.id')
    .select('ticketLog.id')
    .where('ticket.contactId', 'in', contactsOfPerson(contactId))
    .where('ticket.companyId', '=', companyId)
    .where('ticket.closedAt', '>', new Date(Date.parse(at) - hourMs).toISOString())
    .where('ticketLog.type', '=', 'closed')
    .where('ticketLog.userId', 'is', null)
  return (await closed.limit(closingLimit).execute()).length === closingLimit
}
