import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'

const hour = 60 * 60_000
/** A bot on the other side answers each farewell with a message, and that with a ticket: so many are closed in an hour, then people look. */
const most = 5

/** Whether enough tickets of a contact were closed by nobody in the hour before. */
export async function closedEnough(db: Kysely<Database>, companyId: number, contactId: number, at: string): Promise<boolean> {
  const closed = db
    .selectFrom('ticket')
    .innerJoin('ticketLog', 'ticketLog.ticketId', 'ticket.id')
    .select('ticketLog.id')
    .where('ticket.contactId', '=', contactId)
    .where('ticket.companyId', '=', companyId)
    .where('ticket.closedAt', '>', new Date(Date.parse(at) - hour).toISOString())
    .where('ticketLog.type', '=', 'closed')
    .where('ticketLog.userId', 'is', null)
  return (await closed.limit(most).execute()).length === most
}
