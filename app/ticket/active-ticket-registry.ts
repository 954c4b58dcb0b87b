import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { createBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import type { NextId } from '../ids.ts'
import type { LoadTicket } from './ticket-repository.ts'

/** A contact has at most one active ticket on each connection. */
export type ConversationKey = { companyId: number; connectionId: number; contactId: number }
export type TicketRef = { ticketId: number; uuid: string }
export type ActiveTicketRegistry = ReturnType<typeof createActiveTicketRegistry>
type Holder = TicketRef & { /** Not claimed or opened within `staleAfter`. */ stale: boolean }

/** The longest time that a user waits for an answer. */
const timeoutMs = 5000
const pauseMs = 25
/** A claim of this age whose ticket has no events is abandoned: the process that made it has stopped. */
const staleAfter = sql`interval '30 seconds'`

const isOver = ({ status }: Ticket) => status === 'closed' || status === 'deleted'

/**
 * Keeps one active ticket per contact and connection (A-TICKET-01). A stream cannot enforce this rule, so it
 * is a row.
 * The row and the stream are not written in one transaction. Therefore:
 * - The row is claimed before the append, with the ids of the ticket to open. The append of `TicketOpened`
 *   confirms it.
 * - A caller that finds a claim without a stream opens that same ticket. So no claim stays stuck, and no
 *   second ticket is created. A reopened ticket cannot do this: it waits, and takes over a claim that is
 *   stale for 30 s.
 * - A closed or deleted ticket gives up its row: to its successor if a transfer closed it, otherwise to the
 *   next caller. The reactor to `TicketClosed` transfers or releases the row. An earlier caller does the
 *   same.
 */
export function createActiveTicketRegistry(db: Kysely<Database>, nextTicketId: NextId, load: LoadTicket) {
  const of = (who: ConversationKey) => (eb: ExpressionBuilder<Database, 'activeTicket'>) =>
    eb.and([eb('companyId', '=', who.companyId), eb('connectionId', '=', who.connectionId), eb('contactId', '=', who.contactId)])
  const key = ['companyId', 'connectionId', 'contactId'] as const

  const holder = createBatchLoader(async (list: ConversationKey[]): Promise<(Holder | undefined)[]> => {
    const column = (name: keyof ConversationKey) => list.map((who) => who[name])
    const { rows } = await sql<Holder & { n: number }>`
      select w.n, a.ticket_id, a.uuid, a.claimed_at < now() - ${staleAfter} as stale
      from unnest(${column('companyId')}::int[], ${column('connectionId')}::int[], ${column('contactId')}::int[])
        with ordinality as w(company_id, connection_id, contact_id, n)
      join active_ticket a using (company_id, connection_id, contact_id)`.execute(db)
    const found = new Map(rows.map(({ n, ...place }) => [n, place]))
    return list.map((_, i) => found.get(i + 1))
  })

  /** A ticket with events is not a mere claim, however old the row is. */
  const stands = async ({ companyId }: ConversationKey, { ticketId }: TicketRef) => (await load(companyId, ticketId)).status !== 'absent'

  /** Renews the claim, so that no other caller takes it over while the ticket is being opened. */
  async function renewed(who: ConversationKey, { ticketId }: TicketRef): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('activeTicket')
      .set({ claimedAt: sql`now()` })
      .where(of(who))
      .where('ticketId', '=', ticketId)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /**
   * Returns the ticket that holds the row, or claims the row for a new ticket named `uuid`. The ticket may be
   * closed, or may have no events yet.
   */
  async function claim(who: ConversationKey, uuid: string = randomUUID()): Promise<TicketRef> {
    for (;;) {
      const current = await holder(who)
      if (current && (!current.stale || (await stands(who, current)) || (await renewed(who, current))))
        return { ticketId: current.ticketId, uuid: current.uuid }
      if (current) continue
      const made = { ticketId: await nextTicketId(), uuid }
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('activeTicket')
        .values({ ...who, ...made })
        .onConflict((row) => row.doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows > 0n) return made
    }
  }

  /**
   * Claims the row after a closed ticket: for its successor once that is open, otherwise for a new ticket. A
   * faster caller wins.
   */
  async function claimAfter(who: ConversationKey, over: number, uuid: string = randomUUID()): Promise<TicketRef> {
    const now = await load(who.companyId, over)
    if (now.status === 'closed' && now.successor) {
      await passOn(who, over, now.successor)
      await opened(who.companyId, now.successor.ticketId)
      return claim(who, uuid)
    }
    if (now.status === 'deleted' && now.back !== undefined && (await gaveBack(who, over, now.back))) return claim(who, uuid)
    const made = { ticketId: await nextTicketId(), uuid }
    const { numUpdatedRows } = await db
      .updateTable('activeTicket')
      .set({ ...made, since: 0, claimedAt: sql`now()` })
      .where(of(who))
      .where('ticketId', '=', over)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n ? made : claim(who, uuid)
  }

  async function opened(companyId: number, ticketId: number): Promise<void> {
    for (const end = performance.now() + timeoutMs; (await load(companyId, ticketId)).status === 'absent'; await sleep(pauseMs))
      if (performance.now() > end) refuse('ERR_BUSY')
  }

  /**
   * Transfers the row to the ticket whose transfer was undone, once that ticket is open again. Returns false
   * if it no longer exists.
   */
  async function gaveBack(who: ConversationKey, withdrawn: number, to: number): Promise<boolean> {
    for (const end = performance.now() + timeoutMs; ; await sleep(pauseMs)) {
      const old = await load(who.companyId, to)
      if (old.status === 'absent' || old.status === 'deleted') return false
      if (old.status !== 'closed' || old.successor?.ticketId !== withdrawn) {
        await passOn(who, withdrawn, old)
        return true
      }
      if (performance.now() > end) refuse('ERR_BUSY')
    }
  }

  async function passOn(who: ConversationKey, from: number, { ticketId, uuid }: TicketRef, closedAt = 2 ** 31 - 1): Promise<void> {
    await db
      .insertInto('activeTicket')
      .values({ ...who, ticketId, uuid })
      .onConflict((row) =>
        row
          .columns([...key])
          .doUpdateSet({ ticketId, uuid, since: 0, claimedAt: sql`now()` })
          .where('activeTicket.ticketId', '=', from)
          .where('activeTicket.since', '<', closedAt),
      )
      .execute()
  }

  /** `since` is the revision of the closing, so that a late release for that closing frees nothing. */
  async function taken(
    who: ConversationKey,
    { ticketId, uuid }: TicketRef,
    since: number,
    from: number | null,
    onlyStale: boolean,
  ): Promise<void> {
    await db
      .insertInto('activeTicket')
      .values({ ...who, ticketId, uuid, since })
      .onConflict((row) =>
        row
          .columns([...key])
          .doUpdateSet({ ticketId, uuid, since, claimedAt: sql`now()` })
          .where('activeTicket.ticketId', 'in', from === null ? [ticketId] : [ticketId, from])
          .where(onlyStale ? sql<boolean>`active_ticket.claimed_at < now() - ${staleAfter}` : sql<boolean>`true`),
      )
      .execute()
  }

  return {
    claim,
    claimAfter,
    /** Returns the ticket that holds the row, in any state. */
    holder,
    /**
     * Transfers the row to the successor that a transfer created, unless the row has changed since.
     * `closedAt` is the revision of the closing, for late callers.
     */
    passOn,

    /** Returns the active ticket that can take a message, or undefined. */
    async active(who: ConversationKey): Promise<number | undefined> {
      const current = await holder(who)
      const now = current && (await load(who.companyId, current.ticketId))
      return now && now.status !== 'absent' && !isOver(now) ? current.ticketId : undefined
    },

    /**
     * Returns the ticket to open: the holder of the row, or the ids of a new ticket. A ticket named `uuid`
     * belongs to this caller, even if it is closed.
     */
    async enter(who: ConversationKey, uuid: string = randomUUID()): Promise<TicketRef> {
      const current = await claim(who, uuid)
      return current.uuid !== uuid && isOver(await load(who.companyId, current.ticketId))
        ? claimAfter(who, current.ticketId, uuid)
        : current
    },

    /**
     * Reclaims the row for a ticket that was closed at revision `since`. It takes a free row, the row of a
     * closed ticket, or the row of `giving`, which is about to be withdrawn. Returns the id of the holder.
     */
    async retake(who: ConversationKey, ticket: TicketRef, since: number, giving: number | null = null): Promise<number> {
      await taken(who, ticket, since, giving, false)
      for (const end = performance.now() + timeoutMs; ; ) {
        const current = await holder(who)
        if (current?.ticketId === ticket.ticketId) return ticket.ticketId
        if (!current) {
          await taken(who, ticket, since, null, false)
          continue
        }
        const now = await load(who.companyId, current.ticketId)
        if (now.status === 'closed' && now.successor && now.successor.ticketId !== ticket.ticketId)
          await passOn(who, current.ticketId, now.successor)
        else if (isOver(now)) await taken(who, ticket, since, current.ticketId, false)
        else if (now.status !== 'absent') return current.ticketId
        else if (current.stale) await taken(who, ticket, since, current.ticketId, true)
        else if (performance.now() > end) refuse('ERR_BUSY')
        else await sleep(pauseMs)
      }
    },

    /** Claims a free row for a ticket that was written without a claim, such as imported demo history. */
    async occupy(who: ConversationKey, ticket: TicketRef): Promise<void> {
      await db
        .insertInto('activeTicket')
        .values({ ...who, ticketId: ticket.ticketId, uuid: ticket.uuid })
        .onConflict((row) => row.doNothing())
        .execute()
    },

    /** Frees the row after a close or delete. A late release does not free a row that was claimed again. */
    async release(ticketId: number, revision: number): Promise<void> {
      await db.deleteFrom('activeTicket').where('ticketId', '=', ticketId).where('since', '<', revision).execute()
    },
  }
}

/**
 * Rebuilds the rows after a restore from the event store. A closed or unknown ticket does not keep a row that
 * an open ticket needs.
 */
export async function reclaim(db: Kysely<Database>): Promise<void> {
  await sql`delete from active_ticket where ticket_id not in (select id from ticket)`.execute(db)
  await sql`insert into active_ticket (company_id, connection_id, contact_id, ticket_id, uuid)
    select distinct on (company_id, whatsapp_id, contact_id) company_id, whatsapp_id, contact_id, id, uuid
    from ticket where status <> 'closed' order by company_id, whatsapp_id, contact_id, id desc
    on conflict (company_id, connection_id, contact_id) do update set ticket_id = excluded.ticket_id, uuid = excluded.uuid, since = 0
      where not exists (select from ticket t where t.id = active_ticket.ticket_id and t.status <> 'closed')`.execute(db)
}
