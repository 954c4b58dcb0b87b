import type { TicketRow } from '#domain/ticket/contract.ts'

/** Neither lgpd nor nps (R-LAYOUT-12). Waiting tickets count if the company wants it. */
const countedStatuses = (waiting: boolean): TicketRow['status'][] => ['open', 'group', ...(waiting ? (['pending'] as const) : [])]

type Counted = Pick<TicketRow, 'status' | 'userId' | 'unreadMessages'>
/**
 * Whether title, menu and notifications count a ticket: the viewer's own unread ones, and waiting ones without an
 * agent (A-RT-06). projections/ticket/unread.ts has the same rule in SQL.
 */
export function counts({ status, userId, unreadMessages }: Counted, viewerId: number, waiting: boolean): boolean {
  if (unreadMessages === 0 || !countedStatuses(waiting).includes(status)) return false
  return userId === viewerId || (status === 'pending' && userId === null)
}

/** R-LAYOUT-06: circled digits for 1 to 20, a bracketed number above. */
export function unreadMark(count: number): string {
  if (count <= 0) return ''
  return count <= 20 ? String.fromCodePoint(0x2460 + count - 1) : `(${count})`
}

/** Undelivered messages come first; `unsent` is their number as text. */
export const pageTitle = (screen: string | null, unread: number, unsent = ''): string =>
  [unsent && `${unsent} ·`, unreadMark(unread), screen ? `${screen} · Guichê` : 'Guichê'].filter(Boolean).join(' ')
