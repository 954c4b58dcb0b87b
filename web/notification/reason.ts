import type { TicketRow } from '#domain/ticket/contract.ts'
import { counts } from '#web/shell/title.ts'

/** Why the user is notified of a ticket: a new message in an own one, an own one from others, or a new waiting one. */
export type Reason = 'message' | 'assigned' | 'waiting'
/** The fields of a ticket that decide it. */
export type Notified = Pick<
  TicketRow,
  | ('id' | 'status' | 'userId' | 'unreadMessages' | 'transfer' | 'isBot' | 'lastMessageFromMe')
  | ('lastMessageAt' | 'waitingSince' | 'updatedAt' | 'openedAt')
> & { contact: Pick<TicketRow['contact'], 'active'> }

type Known = { own: boolean; waiting: boolean; unread: number }

/** The own tickets that were unread at the start are known, so an unknown one is unread by a message or by its acceptance. */
const wroteSinceAcceptance = ({ unreadMessages, lastMessageFromMe, lastMessageAt, openedAt }: Notified): boolean =>
  unreadMessages > 0 && !lastMessageFromMe && lastMessageAt !== null && openedAt !== null && lastMessageAt > openedAt

/**
 * Remembers what the page knew of each ticket, so that each change notifies once (A-NOTIF-01). `countsWaiting`: whether the
 * company notifies about waiting tickets.
 */
export function createTicketTracker(viewerId: number, countsWaiting: () => boolean) {
  const tickets = new Map<number, Known>()
  const knownOf = (row: Notified): Known => ({
    own: row.userId === viewerId,
    waiting: row.userId !== viewerId && !row.isBot && counts(row, viewerId, true),
    unread: row.unreadMessages,
  })
  const isNotified = (row: Notified) => row.contact.active && counts(row, viewerId, countsWaiting())

  function remember(row: Notified): void {
    if (row.status === 'closed') tickets.delete(row.id)
    else tickets.set(row.id, knownOf(row))
  }

  function reasonOf(row: Notified, before: Known | undefined): Reason | null {
    if (!isNotified(row)) return null
    if (row.userId !== viewerId) return row.isBot || before?.own || before?.waiting ? null : 'waiting'
    if (before?.own) return row.unreadMessages > before.unread ? 'message' : null
    if (row.transfer !== null || row.status === 'pending') return 'assigned' // the user's own acceptance leaves neither
    return before === undefined && wroteSinceAcceptance(row) ? 'message' : null
  }

  /** The same for a ticket whose earlier changes were missed: only what is newer than the gap's begin counts. */
  function reasonAfterGap(row: Notified, before: Known | undefined, since: string): Reason | null {
    if (before) return reasonOf(row, before)
    if (!isNotified(row)) return null
    const isNew = (at: string | null) => at !== null && at > since
    if (row.userId !== viewerId) return !row.isBot && isNew(row.waitingSince) ? 'waiting' : null
    if (isNew(row.transfer?.at ?? null) || (row.status === 'pending' && isNew(row.updatedAt))) return 'assigned'
    return isNew(row.lastMessageAt) && !row.lastMessageFromMe && row.unreadMessages > 0 ? 'message' : null
  }

  return {
    /** Notes tickets without notifying, such as those of the page's start. Known tickets keep their newer state. */
    load(rows: readonly Notified[]): void {
      for (const row of rows) if (!tickets.has(row.id)) remember(row)
    },
    change(row: Notified): Reason | null {
      const reason = reasonOf(row, tickets.get(row.id))
      remember(row)
      return reason
    },
    drop: (id: number): void => void tickets.delete(id),
    /** `rows`: the counted tickets now. `since`: when the connection was last known to be open. */
    afterGap<Row extends Notified>(rows: readonly Row[], since: string): { row: Row; reason: Reason }[] {
      const found = rows.flatMap((row) => {
        const reason = reasonAfterGap(row, tickets.get(row.id), since)
        return reason ? [{ row, reason }] : []
      })
      tickets.clear() // a ticket that is not among the rows may have changed
      for (const row of rows) remember(row)
      return found
    },
  }
}
