import type { TicketRow } from '#domain/ticket/contract.ts'

/** Neither lgpd nor nps (R-LAYOUT-12); those in waiting where the company wants it. */
const countedStatuses = (waiting: boolean): TicketRow['status'][] => ['open', 'group', ...(waiting ? (['pending'] as const) : [])]

type Counted = Pick<TicketRow, 'status' | 'userId' | 'unreadMessages'>
/** What title, menu and notifications count: one's own with something unread, and those in waiting that are no colleague's (A-RT-06). projections/ticket/unread.ts says the same in SQL. */
export function counts({ status, userId, unreadMessages }: Counted, viewerId: number, waiting: boolean): boolean {
  if (unreadMessages === 0 || !countedStatuses(waiting).includes(status)) return false
  return userId === viewerId || (status === 'pending' && userId === null)
}

/** R-LAYOUT-06: circled digits for 1 to 20, a bracketed number above. */
export function unreadMark(count: number): string {
  if (count <= 0) return ''
  return count <= 20 ? String.fromCodePoint(0x2460 + count - 1) : `(${count})`
}

/** What never left comes first: `unsent` says how much, in words. */
export const pageTitle = (screen: string | null, unread: number, unsent = ''): string =>
  [unsent && `${unsent} ·`, unreadMark(unread), screen ? `${screen} · Guichê` : 'Guichê'].filter(Boolean).join(' ')
