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

const isClosed = ({ status }: Ticket) => status === 'closed' || status === 'deleted'

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
  const of = (conversation: ConversationKey) => (eb: ExpressionBuilder<Database, 'activeTicket'>) =>
    eb.and([
      eb('companyId', '=', conversation.companyId),
      eb('connectionId', '=', conversation.connectionId),
      eb('contactId', '=', conversation.contactId),
    ])
  const key = ['companyId', 'connectionId', 'contactId'] as const

  const findHolder = createBatchLoader(async (list: ConversationKey[]): Promise<(Holder | undefined)[]> => {
    const column = (name: keyof ConversationKey) => list.map((conversation) => conversation[name])
    const { rows } = await sql<Holder & { n: number }>`
      select w.n, a.ticket_id, a.uuid, a.claimed_at < now() - ${staleAfter} as stale
      from unnest(${column('companyId')}::int[], ${column('connectionId')}::int[], ${column('contactId')}::int[])
        with ordinality as w(company_id, connection_id, contact_id, n)
      join active_ticket a using (company_id, connection_id, contact_id)`.execute(db)
    const found = new Map(rows.map(({ n, ...place }) => [n, place]))
    return list.map((_, i) => found.get(i + 1))
  })

  /** A ticket with events is not a mere claim, however old the row is. */
  const hasEvents = async ({ companyId }: ConversationKey, { ticketId }: TicketRef) => (await load(companyId, ticketId)).status !== 'absent'

  /** Renews the claim, so that no other caller takes it over while the ticket is being opened. */
  async function renewClaim(conversation: ConversationKey, { ticketId }: TicketRef): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('activeTicket')
      .set({ claimedAt: sql`now()` })
      .where(of(conversation))
      .where('ticketId', '=', ticketId)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /**
   * Returns the ticket that holds the row, or claims the row for a new ticket named `uuid`. The ticket may be
   * closed, or may have no events yet.
   */
  async function claim(conversation: ConversationKey, uuid: string = randomUUID()): Promise<TicketRef> {
    for (;;) {
      const current = await findHolder(conversation)
      if (current && (!current.stale || (await hasEvents(conversation, current)) || (await renewClaim(conversation, current))))
        return { ticketId: current.ticketId, uuid: current.uuid }
      if (current) continue
      const newTicket = { ticketId: await nextTicketId(), uuid }
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('activeTicket')
        .values({ ...conversation, ...newTicket })
        .onConflict((row) => row.doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows > 0n) return newTicket
    }
  }

  /**
   * Claims the row after a closed ticket: for its successor once that is open, otherwise for a new ticket. A
   * faster caller wins.
   */
  async function claimAfter(conversation: ConversationKey, closedTicketId: number, uuid: string = randomUUID()): Promise<TicketRef> {
    const now = await load(conversation.companyId, closedTicketId)
    if (now.status === 'closed' && now.successor) {
      await transferClaim(conversation, closedTicketId, now.successor)
      await waitUntilOpened(conversation.companyId, now.successor.ticketId)
      return claim(conversation, uuid)
    }
    if (now.status === 'deleted' && now.back !== undefined && (await restoreClaim(conversation, closedTicketId, now.back)))
      return claim(conversation, uuid)
    const newTicket = { ticketId: await nextTicketId(), uuid }
    const { numUpdatedRows } = await db
      .updateTable('activeTicket')
      .set({ ...newTicket, since: 0, claimedAt: sql`now()` })
      .where(of(conversation))
      .where('ticketId', '=', closedTicketId)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n ? newTicket : claim(conversation, uuid)
  }

  async function waitUntilOpened(companyId: number, ticketId: number): Promise<void> {
    for (const end = performance.now() + timeoutMs; (await load(companyId, ticketId)).status === 'absent'; await sleep(pauseMs))
      if (performance.now() > end) refuse('ERR_BUSY')
  }

  /**
   * Transfers the row to the ticket whose transfer was undone, once that ticket is open again. Returns false
   * if it no longer exists.
   */
  async function restoreClaim(conversation: ConversationKey, withdrawn: number, to: number): Promise<boolean> {
    for (const end = performance.now() + timeoutMs; ; await sleep(pauseMs)) {
      const old = await load(conversation.companyId, to)
      if (old.status === 'absent' || old.status === 'deleted') return false
      if (old.status !== 'closed' || old.successor?.ticketId !== withdrawn) {
        await transferClaim(conversation, withdrawn, old)
        return true
      }
      if (performance.now() > end) refuse('ERR_BUSY')
    }
  }

  async function transferClaim(
    conversation: ConversationKey,
    from: number,
    { ticketId, uuid }: TicketRef,
    closedAt = 2 ** 31 - 1,
  ): Promise<void> {
    await db
      .insertInto('activeTicket')
      .values({ ...conversation, ticketId, uuid })
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
  async function takeRow(
    conversation: ConversationKey,
    { ticketId, uuid }: TicketRef,
    since: number,
    from: number | null,
    onlyStale: boolean,
  ): Promise<void> {
    await db
      .insertInto('activeTicket')
      .values({ ...conversation, ticketId, uuid, since })
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
    findHolder: findHolder,
    /**
     * Transfers the row to the successor that a transfer created, unless the row has changed since.
     * `closedAt` is the revision of the closing, for late callers.
     */
    transferClaim: transferClaim,

    /** Returns the active ticket that can take a message, or undefined. */
    async active(conversation: ConversationKey): Promise<number | undefined> {
      const current = await findHolder(conversation)
      const now = current && (await load(conversation.companyId, current.ticketId))
      return now && now.status !== 'absent' && !isClosed(now) ? current.ticketId : undefined
    },

    /**
     * Returns the ticket to open: the holder of the row, or the ids of a new ticket. A ticket named `uuid`
     * belongs to this caller, even if it is closed.
     */
    async claimForOpening(conversation: ConversationKey, uuid: string = randomUUID()): Promise<TicketRef> {
      const current = await claim(conversation, uuid)
      return current.uuid !== uuid && isClosed(await load(conversation.companyId, current.ticketId))
        ? claimAfter(conversation, current.ticketId, uuid)
        : current
    },

    /**
     * Reclaims the row for a ticket that was closed at revision `since`. It takes a free row, the row of a
     * closed ticket, or the row of `giving`, which is about to be withdrawn. Returns the id of the holder.
     */
    async reclaimIfReleased(
      conversation: ConversationKey,
      ticket: TicketRef,
      since: number,
      giving: number | null = null,
    ): Promise<number> {
      await takeRow(conversation, ticket, since, giving, false)
      for (const end = performance.now() + timeoutMs; ; ) {
        const current = await findHolder(conversation)
        if (current?.ticketId === ticket.ticketId) return ticket.ticketId
        if (!current) {
          await takeRow(conversation, ticket, since, null, false)
          continue
        }
        const now = await load(conversation.companyId, current.ticketId)
        if (now.status === 'closed' && now.successor && now.successor.ticketId !== ticket.ticketId)
          await transferClaim(conversation, current.ticketId, now.successor)
        else if (isClosed(now)) await takeRow(conversation, ticket, since, current.ticketId, false)
        else if (now.status !== 'absent') return current.ticketId
        else if (current.stale) await takeRow(conversation, ticket, since, current.ticketId, true)
        else if (performance.now() > end) refuse('ERR_BUSY')
        else await sleep(pauseMs)
      }
    },

    /** Claims a free row for a ticket that was written without a claim, such as imported demo history. */
    async occupy(conversation: ConversationKey, ticket: TicketRef): Promise<void> {
      await db
        .insertInto('activeTicket')
        .values({ ...conversation, ticketId: ticket.ticketId, uuid: ticket.uuid })
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
