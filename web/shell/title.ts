import type { TicketRow } from '#domain/ticket/contract.ts'

type Counted = Pick<TicketRow, 'status' | 'userId' | 'unreadMessages' | 'transfer'>
/**
 * Whether title, menu and notifications count a ticket: the viewer's own unread ones, also those that rotation assigned;
 * those that a colleague handed over and the viewer has not opened; and, if the company wants it, unread waiting ones
 * without an agent (A-RT-06). Neither lgpd nor nps (R-LAYOUT-12). projections/ticket/unread.ts has the same rule in SQL.
 */
export function counts({ status, userId, unreadMessages, transfer }: Counted, viewerId: number, waiting: boolean): boolean {
  const isWaiting = status === 'pending'
  if (!isWaiting && status !== 'open' && status !== 'group') return false
  if (userId === viewerId) return unreadMessages > 0 || (transfer !== null && !isWaiting)
  return waiting && isWaiting && userId === null && unreadMessages > 0
}

/** R-LAYOUT-06: circled digits for 1 to 20, a bracketed number above. */
export function unreadMark(count: number): string {
  if (count <= 0) return ''
  return count <= 20 ? String.fromCodePoint(0x2460 + count - 1) : `(${count})`
}

/** Undelivered messages come first; `unsent` is their number as text. */
export const pageTitle = (screen: string | null, unread: number, unsent = ''): string =>
  [unsent && `${unsent} ·`, unreadMark(unread), screen ? `${screen} · Guichê` : 'Guichê'].filter(Boolean).join(' ')
