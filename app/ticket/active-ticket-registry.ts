import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import { createBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import type { NextId } from '../ids.ts'
import type { LoadTicket } from './ticket-repository.ts'

/** Whose place it is: a contact has one on each connection. */
export type ConversationKey = { companyId: number; connectionId: number; contactId: number }
export type TicketRef = { ticketId: number; uuid: string }
export type ActiveTicketRegistry = ReturnType<typeof createActiveTicketRegistry>
type Holder = TicketRef & { /** Nobody has opened or claimed it for a while. */ stale: boolean }

/** As long as a person would wait. */
const timeoutMs = 5000
const pauseMs = 25
/** A claim of this age whose ticket has no fact yet is nobody's: whoever made it is gone. */
const staleAfter = sql`interval '30 seconds'`

const isOver = ({ status }: Ticket) => status === 'closed' || status === 'deleted'

/**
 * A contact has one active ticket on a connection (A-TICKET-01): the rule, and all that is done about it. The place is a row, because no
 * stream could hold the rule, and a row and a stream are not written at once. Therefore:
 * - It is claimed before the append, with the ids of the ticket to open; the append of that opening confirms it.
 * - Who finds a claim without a stream opens that same ticket, so that no claim is ever stuck and no second ticket is made beside it. Only
 *   a ticket that is reopened cannot: it waits for the other, and takes the place of one that nobody has opened or claimed for 30 s.
 * - A ticket that is over gives its place up: to its successor where a transfer closed it, else to whoever asks next. The reactor to the
 *   closing passes it on or releases it; whoever comes sooner does the same.
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

  /** What has facts is no mere claim, however old. */
  const stands = async ({ companyId }: ConversationKey, { ticketId }: TicketRef) => (await load(companyId, ticketId)).status !== 'absent'

  /** Its age begins anew, so that nobody takes it away from who is about to open it. */
  async function renewed(who: ConversationKey, { ticketId }: TicketRef): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('activeTicket')
      .set({ claimedAt: sql`now()` })
      .where(of(who))
      .where('ticketId', '=', ticketId)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** The ticket that has the place, or a new one that takes it; `uuid`: what that will be called. It may be over, and it may have no facts yet. */
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

  /** The place behind a ticket that is over: its successor's, once that stands, or a new ticket's, unless somebody was faster. */
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

  /** To the ticket whose transfer was undone, once that stands as before; false: it does no more. */
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

  /** `since`: the revision at which it was closed, so that a release of that closing which comes late frees nothing. */
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
    /** Who has the place, whatever became of it. */
    holder,
    /** The place goes to the ticket that a transfer made, unless it was taken since; `closedAt`: the revision of the closing, for who comes late. */
    passOn,

    /** The ticket that has the place and can take a message; undefined: none. */
    async active(who: ConversationKey): Promise<number | undefined> {
      const current = await holder(who)
      const now = current && (await load(who.companyId, current.ticketId))
      return now && now.status !== 'absent' && !isOver(now) ? current.ticketId : undefined
    },

    /** For who opens a ticket: the one that has the place, or what a new one is called. A ticket called `uuid` is this caller's own, also when it is over. */
    async enter(who: ConversationKey, uuid: string = randomUUID()): Promise<TicketRef> {
      const current = await claim(who, uuid)
      return current.uuid !== uuid && isOver(await load(who.companyId, current.ticketId))
        ? claimAfter(who, current.ticketId, uuid)
        : current
    },

    /**
     * A ticket that was closed at revision `since` takes its place again, from nobody, from one that is over, or from `giving`, which is about
     * to be withdrawn. Answers whose the place is.
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

    /** For a ticket that was written past its claim, as a demo's past is: its place, where nobody has it. */
    async occupy(who: ConversationKey, ticket: TicketRef): Promise<void> {
      await db
        .insertInto('activeTicket')
        .values({ ...who, ticketId: ticket.ticketId, uuid: ticket.uuid })
        .onConflict((row) => row.doNothing())
        .execute()
    },

    /** After close or delete. A release that comes late frees nothing that was taken again since. */
    async release(ticketId: number, revision: number): Promise<void> {
      await db.deleteFrom('activeTicket').where('ticketId', '=', ticketId).where('since', '<', revision).execute()
    },
  }
}

/** After log and tables were put back from copies of their own age, the rule as the log says: whose ticket is over or unknown holds no place against one that is not. */
export async function reclaim(db: Kysely<Database>): Promise<void> {
  await sql`delete from active_ticket where ticket_id not in (select id from ticket)`.execute(db)
  await sql`insert into active_ticket (company_id, connection_id, contact_id, ticket_id, uuid)
    select distinct on (company_id, whatsapp_id, contact_id) company_id, whatsapp_id, contact_id, id, uuid
    from ticket where status <> 'closed' order by company_id, whatsapp_id, contact_id, id desc
    on conflict (company_id, connection_id, contact_id) do update set ticket_id = excluded.ticket_id, uuid = excluded.uuid, since = 0
      where not exists (select from ticket t where t.id = active_ticket.ticket_id and t.status <> 'closed')`.execute(db)
}
