import type { Ticket } from '#domain/ticket/ticket.ts'
import type { AppContext } from '../context.ts'

/** A ticket that holds the place of a person's active one. `isOver`: it has ended, and has not released the place yet. */
export type HeldTicket = { ticketId: number; uuid: string; connectionId: number; isOver: boolean }

/** Whether a ticket has ended without one that follows it. */
const isOver = (ticket: Ticket): boolean =>
  (ticket.status === 'closed' && !ticket.successor) || (ticket.status === 'deleted' && ticket.back === undefined)

/** The tickets that hold the places of these persons. */
export async function heldTickets(
  { db, load }: Pick<AppContext, 'db' | 'load'>,
  companyId: number,
  personIds: number[],
): Promise<HeldTicket[]> {
  const rows = await db
    .selectFrom('activeTicket')
    .select(['ticketId', 'uuid', 'connectionId'])
    .where('companyId', '=', companyId)
    .where('personId', 'in', personIds)
    .execute()
  return Promise.all(rows.map(async (row) => ({ ...row, isOver: isOver(await load(companyId, row.ticketId)) })))
}
