import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { refuse } from '#domain/errors.ts'
import { createBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'

/** A contact has at most one active ticket on each connection. Merged contacts are one person and share it (A-MERGE-01). */
export type ConversationKey = { companyId: number; connectionId: number; contactId: number }
export type TicketRef = { ticketId: number; uuid: string }
/** `stale`: not claimed or opened for 30 s. */
export type Holder = TicketRef & { stale: boolean }

/** A claim of this age whose ticket has no events is abandoned: the process that made it has stopped. */
const staleAfter = sql`interval '30 seconds'`
const key = ['companyId', 'connectionId', 'personId'] as const
const of =
  ({ companyId, connectionId, contactId }: ConversationKey) =>
  (eb: ExpressionBuilder<Database, 'activeTicket'>) =>
    eb.and([eb('companyId', '=', companyId), eb('connectionId', '=', connectionId), eb('personId', '=', personOf(contactId))])
/** The trigger `refuse_deleted_contact` fills the column in the same way. */
const personOf = (contactId: number) => sql<number>`coalesce((select person_id from contact where id = ${contactId}), ${contactId})`

/** Returns a function that reads the rows of many conversations in one query. */
export const createHolderLoader = (db: Kysely<Database>) =>
  createBatchLoader(async (list: ConversationKey[]): Promise<(Holder | undefined)[]> => {
    const column = (name: keyof ConversationKey) => list.map((conversation) => conversation[name])
    const { rows } = await sql<Holder & { n: number }>`
      select w.n, a.ticket_id, a.uuid, a.claimed_at < now() - ${staleAfter} as stale
      from unnest(${column('companyId')}::int[], ${column('connectionId')}::int[], ${column('contactId')}::int[])
        with ordinality as w(company_id, connection_id, contact_id, n)
      left join contact c on c.id = w.contact_id
      join active_ticket a on a.company_id = w.company_id and a.connection_id = w.connection_id
        and a.person_id = coalesce(c.person_id, w.contact_id)`.execute(db)
    const found = new Map(rows.map(({ n, ...holder }) => [n, holder]))
    return list.map((_, i) => found.get(i + 1))
  })

/** A deleted contact gets no ticket: the trigger `refuse_deleted_contact`. */
async function refusingDeleted<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if ((error as { code?: string }).code === '23503') refuse('ERR_NO_CONTACT_FOUND')
    throw error
  }
}

/** Free → claimed. Returns false if another caller was faster. */
export async function claimFree(db: Kysely<Database>, conversation: ConversationKey, { ticketId, uuid }: TicketRef): Promise<boolean> {
  const insert = db
    .insertInto('activeTicket')
    .values({ ...conversation, ticketId, uuid })
    .onConflict((row) => row.doNothing())
  const { numInsertedOrUpdatedRows = 0n } = await refusingDeleted(insert.executeTakeFirstOrThrow())
  return numInsertedOrUpdatedRows > 0n
}

/** Changes the row while `holderId` holds it. Returns false if another caller was faster. */
async function changeWhileHeldBy(
  db: Kysely<Database>,
  conversation: ConversationKey,
  holderId: number,
  change: Partial<TicketRef> & { contactId?: number; since?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('activeTicket')
    .set({ ...change, claimedAt: sql`now()` })
    .where(of(conversation))
    .where('ticketId', '=', holderId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Abandoned → claimed, for the same ticket, so that no other caller takes it over while it is being opened. */
export const renewClaim = (db: Kysely<Database>, conversation: ConversationKey, { ticketId }: TicketRef): Promise<boolean> =>
  changeWhileHeldBy(db, conversation, ticketId, {})

/** Closed → claimed, for a new ticket. Returns false if another caller was faster. */
export const replaceClosed = (
  db: Kysely<Database>,
  conversation: ConversationKey,
  closedTicketId: number,
  { ticketId, uuid }: TicketRef,
): Promise<boolean> => changeWhileHeldBy(db, conversation, closedTicketId, { contactId: conversation.contactId, ticketId, uuid, since: 0 })

/** Transferred, withdrawn or free → active, for the ticket `to`, unless the row has changed since the closing at revision `closedAt`. */
export async function transferClaim(
  db: Kysely<Database>,
  conversation: ConversationKey,
  from: number,
  { ticketId, uuid }: TicketRef,
  closedAt = 2 ** 31 - 1,
): Promise<void> {
  const insert = db
    .insertInto('activeTicket')
    .values({ ...conversation, ticketId, uuid })
    .onConflict((row) =>
      row
        .columns([...key])
        .doUpdateSet({ contactId: conversation.contactId, ticketId, uuid, since: 0, claimedAt: sql`now()` })
        .where('activeTicket.ticketId', '=', from)
        .where('activeTicket.since', '<', closedAt),
    )
  await refusingDeleted(insert.execute())
}

/**
 * Free, closed or abandoned → claimed, for a ticket that is reopened. `from`: the ticket that may lose the row. `since`: the revision of the
 * closing, so that a late release for that closing frees nothing. `onlyStale`: only if the claim of `from` is abandoned.
 */
export async function takeOver(
  db: Kysely<Database>,
  conversation: ConversationKey,
  { ticketId, uuid, since }: TicketRef & { since: number },
  { from, onlyStale = false }: { from: number | null; onlyStale?: boolean },
): Promise<void> {
  const insert = db
    .insertInto('activeTicket')
    .values({ ...conversation, ticketId, uuid, since })
    .onConflict((row) =>
      row
        .columns([...key])
        .doUpdateSet({ contactId: conversation.contactId, ticketId, uuid, since, claimedAt: sql`now()` })
        .where('activeTicket.ticketId', 'in', from === null ? [ticketId] : [ticketId, from])
        .where(onlyStale ? sql<boolean>`active_ticket.claimed_at < now() - ${staleAfter}` : sql<boolean>`true`),
    )
  await refusingDeleted(insert.execute())
}

/** Closed → free, after the close or delete at this revision. A late release does not free a row that was claimed again. */
export async function release(db: Kysely<Database>, ticketId: number, revision: number): Promise<void> {
  await db.deleteFrom('activeTicket').where('ticketId', '=', ticketId).where('since', '<', revision).execute()
}

/** Closed → free, for tickets of one person, before their own releases have run. */
export async function releaseClosed(
  db: Kysely<Database>,
  { companyId, personId }: { companyId: number; personId: number },
  ticketIds: number[],
): Promise<void> {
  const rows = db.deleteFrom('activeTicket').where('companyId', '=', companyId).where('personId', '=', personId)
  if (ticketIds.length > 0) await rows.where('ticketId', 'in', ticketIds).execute()
}

/** Updates the rows of contacts that were merged or separated. Fails if two of them have an active ticket on one connection. */
export async function updatePersons(db: Kysely<Database>, companyId: number, contactIds: number[]): Promise<void> {
  await sql`update active_ticket a set person_id = c.person_id from contact c
    where c.id = a.contact_id and c.id = any(${contactIds}::int[]) and a.company_id = ${companyId} and a.person_id <> c.person_id`.execute(
    db,
  )
}

/**
 * Rebuilds the rows after a restore from the event store. A closed or unknown ticket does not keep a row that
 * an open ticket needs.
 */
export async function reclaim(db: Kysely<Database>): Promise<void> {
  await sql`delete from active_ticket where ticket_id not in (select id from ticket)`.execute(db)
  await sql`insert into active_ticket (company_id, connection_id, contact_id, ticket_id, uuid)
    select distinct on (t.company_id, t.whatsapp_id, coalesce(c.person_id, t.contact_id)) t.company_id, t.whatsapp_id, t.contact_id, t.id, t.uuid
    from ticket t left join contact c on c.id = t.contact_id where t.status <> 'closed'
    order by t.company_id, t.whatsapp_id, coalesce(c.person_id, t.contact_id), t.id desc
    on conflict (company_id, connection_id, person_id) do update
      set contact_id = excluded.contact_id, ticket_id = excluded.ticket_id, uuid = excluded.uuid, since = 0
      where not exists (select from ticket t where t.id = active_ticket.ticket_id and t.status <> 'closed')`.execute(db)
}
