import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { refuse } from '#domain/errors.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import type { Database } from '#projections/database.ts'
import type { NextId } from '../ids.ts'
import {
  type ConversationKey,
  claimFree,
  createHolderLoader,
  type Holder,
  release,
  renewClaim,
  replaceClosed,
  type TicketRef,
  takeOver,
  transferClaim,
} from './active-ticket-rows.ts'
import type { LoadTicket } from './ticket-repository.ts'

export type { ConversationKey, TicketRef }
export type ActiveTicketRegistry = ReturnType<typeof createActiveTicketRegistry>

/** The longest time that a user waits for an answer. */
const timeoutMs = 5000
const pauseMs = 25

const isClosed = ({ status }: Ticket) => status === 'closed' || status === 'deleted'

type Parts = {
  db: Kysely<Database>
  nextTicketId: NextId
  load: LoadTicket
  findHolder: (conversation: ConversationKey) => Promise<Holder | undefined>
}

/**
 * Keeps one active ticket per contact and connection (A-TICKET-01). A stream cannot enforce this rule, so it
 * is a row. The row and the stream are not written in one transaction, so the state of a conversation is the
 * row together with the ticket that it names:
 *
 * | State | Row | Ticket |
 * |---|---|---|
 * | free | none | – |
 * | claimed | claimed within 30 s | has no events yet |
 * | abandoned | claimed earlier | has no events: the process that claimed it has stopped |
 * | active | present | open or waiting |
 * | closed | present | closed or deleted |
 * | transferred | present | closed with a successor, which gets the row |
 * | withdrawn | present | deleted because its transfer was undone; the ticket `back` gets the row |
 *
 * | From | Event | To | Function |
 * |---|---|---|---|
 * | free | a caller needs a ticket | claimed | `claimFree` |
 * | claimed | `TicketOpened` is appended | active | no write |
 * | claimed | another caller needs a ticket | claimed; it opens the same ticket | no write |
 * | abandoned | a caller needs a ticket | claimed; it opens the same ticket | `renewClaim` |
 * | active | `TicketClosed`, `TicketDeleted` | closed, transferred or withdrawn | no write |
 * | closed | the reactor of the closing | free | `release` |
 * | closed | a caller needs a ticket first | claimed, for a new ticket | `replaceClosed` |
 * | transferred, withdrawn | the reactor, or an earlier caller | active | `transferClaim` |
 * | free, closed, abandoned | a ticket is reopened | claimed, for that ticket | `takeOver` |
 *
 * So no claim stays stuck, and no second ticket is created.
 */
export function createActiveTicketRegistry(db: Kysely<Database>, nextTicketId: NextId, load: LoadTicket) {
  const findHolder = createHolderLoader(db)
  const parts: Parts = { db, nextTicketId, load, findHolder }
  return {
    /** Returns the ticket that holds the row, in any state. */
    findHolder,
    claim: (conversation: ConversationKey, uuid?: string) => claim(parts, conversation, uuid),
    claimAfter: (conversation: ConversationKey, closedTicketId: number, uuid?: string) =>
      claimAfter(parts, conversation, closedTicketId, uuid),
    claimForOpening: (conversation: ConversationKey, uuid?: string) => claimForOpening(parts, conversation, uuid),
    reclaimIfReleased: (conversation: ConversationKey, ticket: TicketRef, since: number, giving?: number | null) =>
      reclaimIfReleased(parts, conversation, { ...ticket, since }, giving),
    /**
     * Transfers the row to the successor that a transfer created, unless the row has changed since.
     * `closedAt` is the revision of the closing, for late callers.
     */
    transferClaim: (conversation: ConversationKey, from: number, to: TicketRef, closedAt?: number) =>
      transferClaim(db, conversation, from, to, closedAt),
    /** Returns the active ticket that can take a message, or undefined. */
    async active(conversation: ConversationKey): Promise<number | undefined> {
      const current = await findHolder(conversation)
      const now = current && (await load(conversation.companyId, current.ticketId))
      return now && now.status !== 'absent' && !isClosed(now) ? current.ticketId : undefined
    },
    /** Claims a free row for a ticket that was written without a claim, such as imported demo history. */
    occupy: async (conversation: ConversationKey, ticket: TicketRef) => void (await claimFree(db, conversation, ticket)),
    /** Frees the row after a close or delete. A late release does not free a row that was claimed again. */
    release: (ticketId: number, revision: number) => release(db, ticketId, revision),
  }
}

/**
 * Returns the ticket that holds the row, or claims the row for a new ticket named `uuid`. The ticket may be
 * closed, or may have no events yet.
 */
async function claim(
  { db, nextTicketId, load, findHolder }: Parts,
  conversation: ConversationKey,
  uuid: string = randomUUID(),
): Promise<TicketRef> {
  /** A ticket with events is not a mere claim, however old the row is. */
  const hasEvents = async ({ ticketId }: TicketRef) => (await load(conversation.companyId, ticketId)).status !== 'absent'
  for (;;) {
    const current = await findHolder(conversation)
    if (current && (!current.stale || (await hasEvents(current)) || (await renewClaim(db, conversation, current))))
      return { ticketId: current.ticketId, uuid: current.uuid }
    if (current) continue
    const newTicket = { ticketId: await nextTicketId(), uuid }
    if (await claimFree(db, conversation, newTicket)) return newTicket
  }
}

/**
 * Claims the row after a closed ticket: for its successor once that is open, otherwise for a new ticket. A
 * faster caller wins.
 */
async function claimAfter(
  parts: Parts,
  conversation: ConversationKey,
  closedTicketId: number,
  uuid: string = randomUUID(),
): Promise<TicketRef> {
  const { db, nextTicketId, load } = parts
  const now = await load(conversation.companyId, closedTicketId)
  if (now.status === 'closed' && now.successor) {
    await transferClaim(db, conversation, closedTicketId, now.successor)
    await waitUntilOpened(parts, conversation.companyId, now.successor.ticketId)
    return claim(parts, conversation, uuid)
  }
  if (now.status === 'deleted' && now.back !== undefined && (await restoreClaim(parts, conversation, closedTicketId, now.back)))
    return claim(parts, conversation, uuid)
  const newTicket = { ticketId: await nextTicketId(), uuid }
  return (await replaceClosed(db, conversation, closedTicketId, newTicket)) ? newTicket : claim(parts, conversation, uuid)
}

async function waitUntilOpened({ load }: Parts, companyId: number, ticketId: number): Promise<void> {
  for (const end = performance.now() + timeoutMs; (await load(companyId, ticketId)).status === 'absent'; await sleep(pauseMs))
    if (performance.now() > end) refuse('ERR_BUSY')
}

/**
 * Transfers the row to the ticket whose transfer was undone, once that ticket is open again. Returns false
 * if it no longer exists.
 */
async function restoreClaim({ db, load }: Parts, conversation: ConversationKey, withdrawn: number, to: number): Promise<boolean> {
  for (const end = performance.now() + timeoutMs; ; await sleep(pauseMs)) {
    const old = await load(conversation.companyId, to)
    if (old.status === 'absent' || old.status === 'deleted') return false
    if (old.status !== 'closed' || old.successor?.ticketId !== withdrawn) {
      await transferClaim(db, conversation, withdrawn, old)
      return true
    }
    if (performance.now() > end) refuse('ERR_BUSY')
  }
}

/**
 * Returns the ticket to open: the holder of the row, or the ids of a new ticket. A ticket named `uuid`
 * belongs to this caller, even if it is closed.
 */
async function claimForOpening(parts: Parts, conversation: ConversationKey, uuid: string = randomUUID()): Promise<TicketRef> {
  const current = await claim(parts, conversation, uuid)
  return current.uuid !== uuid && isClosed(await parts.load(conversation.companyId, current.ticketId))
    ? claimAfter(parts, conversation, current.ticketId, uuid)
    : current
}

/**
 * Reclaims the row for a ticket that was closed at revision `since`. It takes a free row, the row of a
 * closed ticket, or the row of `giving`, which is about to be withdrawn. Returns the id of the holder.
 */
async function reclaimIfReleased(
  { db, load, findHolder }: Parts,
  conversation: ConversationKey,
  ticket: TicketRef & { since: number },
  giving: number | null = null,
): Promise<number> {
  const take = (from: number | null, onlyStale = false) => takeOver(db, conversation, ticket, { from, onlyStale })
  await take(giving)
  for (const end = performance.now() + timeoutMs; ; ) {
    const current = await findHolder(conversation)
    if (current?.ticketId === ticket.ticketId) return ticket.ticketId
    if (!current) {
      await take(null)
      continue
    }
    const now = await load(conversation.companyId, current.ticketId)
    if (now.status === 'closed' && now.successor && now.successor.ticketId !== ticket.ticketId)
      await transferClaim(db, conversation, current.ticketId, now.successor)
    else if (isClosed(now)) await take(current.ticketId)
    else if (now.status !== 'absent') return current.ticketId
    else if (current.stale) await take(current.ticketId, true)
    else if (performance.now() > end) refuse('ERR_BUSY')
    else await sleep(pauseMs)
  }
}
