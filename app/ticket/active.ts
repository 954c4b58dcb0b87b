import { randomUUID } from 'node:crypto'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { gathered } from '#projections/gather.ts'
import type { NextId } from '../ids.ts'

export type Claim = { ticketId: number; uuid: string; fresh: boolean }
export type Who = { companyId: number; connectionId: number; contactId: number }
export type Active = ReturnType<typeof activeTickets>

/**
 * One active ticket a contact and connection (A-TICKET-01). A row is claimed before the append and carries the ids of the ticket to open,
 * so that whoever finds a claim whose stream is not there yet opens that same ticket: no claim is ever stuck.
 */
export function activeTickets(db: Kysely<Database>, nextTicketId: NextId) {
  const of = (who: Who) => (eb: ExpressionBuilder<Database, 'activeTicket'>) =>
    eb.and([eb('companyId', '=', who.companyId), eb('connectionId', '=', who.connectionId), eb('contactId', '=', who.contactId)])
  const find = gathered(async (list: Who[]) => {
    const column = (name: keyof Who) => list.map((who) => who[name])
    const { rows } = await sql<{ n: number; ticketId: number; uuid: string }>`
      select w.n, a.ticket_id, a.uuid
      from unnest(${column('companyId')}::int[], ${column('connectionId')}::int[], ${column('contactId')}::int[])
        with ordinality as w(company_id, connection_id, contact_id, n)
      join active_ticket a using (company_id, connection_id, contact_id)`.execute(db)
    const found = new Map(rows.map(({ n, ...place }) => [n, place]))
    return list.map((_, i) => found.get(i + 1))
  })

  return {
    find,

    /** The ticket that has the place, or a new one that takes it; `uuid`: what that will be called. */
    async claim(who: Who, uuid: string = randomUUID()): Promise<Claim> {
      for (;;) {
        const held = await find(who)
        if (held) return { ...held, fresh: false }
        const claim = { ticketId: await nextTicketId(), uuid }
        const { numInsertedOrUpdatedRows = 0n } = await db
          .insertInto('activeTicket')
          .values({ ...who, ...claim })
          .onConflict((row) => row.doNothing())
          .executeTakeFirstOrThrow()
        if (numInsertedOrUpdatedRows > 0n) return { ...claim, fresh: true }
      }
    },

    /** The place goes from a ticket that is over to a new one, unless somebody was faster: then theirs has it. */
    async replace(who: Who, over: number, uuid: string = randomUUID()): Promise<Claim> {
      const claim = { ticketId: await nextTicketId(), uuid }
      const { numUpdatedRows } = await db
        .updateTable('activeTicket')
        .set({ ...claim, since: 0 })
        .where(of(who))
        .where('ticketId', '=', over)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n ? { ...claim, fresh: true } : this.claim(who, uuid)
    },

    /** The place goes to the ticket that a transfer made, unless it was taken since; `closedAt`: the revision of the closing, for who comes late. */
    async passOn(who: Who, from: number, { ticketId, uuid }: { ticketId: number; uuid: string }, closedAt = 2 ** 31 - 1): Promise<void> {
      await db
        .insertInto('activeTicket')
        .values({ ...who, ticketId, uuid })
        .onConflict((row) =>
          row
            .columns(['companyId', 'connectionId', 'contactId'])
            .doUpdateSet({ ticketId, uuid, since: 0 })
            .where('activeTicket.ticketId', '=', from)
            .where('activeTicket.since', '<', closedAt),
        )
        .execute()
    },

    /**
     * A closed ticket takes its place again before it is reopened, also from one that is over and has not let go yet; answers whose it is.
     * `since`: the revision at which it was closed.
     */
    async retake(who: Who, ticket: { ticketId: number; uuid: string }, since: number, over?: number): Promise<number> {
      await db
        .insertInto('activeTicket')
        .values({ ...who, ...ticket, since })
        .onConflict((row) =>
          row
            .columns(['companyId', 'connectionId', 'contactId'])
            .doUpdateSet({ ...ticket, since })
            .where('activeTicket.ticketId', 'in', over === undefined ? [ticket.ticketId] : [ticket.ticketId, over]),
        )
        .execute()
      return (await find(who))?.ticketId ?? ticket.ticketId
    },

    /** After close or delete. A release that comes late frees nothing that was taken again since. */
    async release(ticketId: number, revision: number): Promise<void> {
      await db.deleteFrom('activeTicket').where('ticketId', '=', ticketId).where('since', '<', revision).execute()
    },
  }
}
