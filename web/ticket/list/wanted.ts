import type { Viewer } from '#domain/access.ts'
import { isCalled } from '#domain/contact/rules.ts'
import type { Status, TicketFilter, TicketRow } from '#domain/ticket/contract.ts'

export const tabs = ['open', 'pending', 'group', 'closed', 'search'] as const
/**
 * `asked`: waiting for a consent or rating. It is not a tab (A-LGPD-06) but a list beside the waiting one, for
 * agents who may accept these tickets.
 */
export type Tab = (typeof tabs)[number] | 'asked'
const asked: readonly Status[] = ['lgpd', 'nps']

/** The agent's filters of the lists; an empty list filters nothing. */
export type Choice = {
  queueIds: number[]
  tagIds: number[]
  userIds: number[]
  connectionIds: number[]
  unread: boolean
  showAll: boolean
  /** null: each tab's own order, oldest first for waiting customers (A-TICKET-15). */
  sort: 'ASC' | 'DESC' | null
}
export const everything: Choice = {
  queueIds: [],
  tagIds: [],
  userIds: [],
  connectionIds: [],
  unread: false,
  showAll: false,
  sort: null,
}

/** Key of one list: the tab, the filters, and the text of the search. */
export type Wanted = { tab: Tab; choice: Choice; text: string; onMessages: boolean; pageSize: number }

/** R-VIS-02. */
export const mayShowAll = ({ profile, flags }: Viewer): boolean => profile === 'admin' || flags.allUserChat
export const tabsOf = ({ flags }: Viewer) => tabs.filter((tab) => tab !== 'group' || flags.allowGroup)

/** The queues that the filters offer. One whose tickets the viewer cannot see would only empty the list; a chosen one can be unchecked. */
export const queuesInSight = <Row extends { id: number }>(
  { profile, queueIds, retiredQueueIds }: Viewer,
  choice: Choice,
  rows: Row[],
): Row[] => (profile === 'admin' ? rows : rows.filter(({ id }) => [...queueIds, ...retiredQueueIds, ...choice.queueIds].includes(id)))

const list = (ids: number[]) => (ids.length === 0 ? {} : { ids: JSON.stringify(ids) })
export function query({ tab, choice, text, onMessages, pageSize }: Wanted, viewer: Viewer, pageNumber: number): TicketFilter {
  const { ids: queueIds } = list(choice.queueIds)
  const { ids: tags } = list(choice.tagIds)
  const { ids: users } = list(viewer.profile === 'admin' ? choice.userIds : []) // R-INBOX-02
  const { ids: whatsapps } = list(choice.connectionIds)
  return {
    ...(tab === 'asked' ? { statusFilter: JSON.stringify(asked) } : { status: tab }),
    pageNumber,
    pageSize,
    ...(queueIds && { queueIds }),
    ...(tags && { tags }),
    ...(users && { users }),
    ...(whatsapps && { whatsapps }),
    ...(choice.unread && { withUnreadMessages: true }),
    ...(choice.showAll && mayShowAll(viewer) && { showAll: true }),
    ...(choice.sort && { sortTickets: choice.sort }),
    ...(tab === 'search' && text.trim() !== '' && { searchParam: text.trim(), ...(onMessages && { searchOnMessages: true }) }),
  }
}

const any = (chosen: number[], id: number | null) => chosen.length === 0 || (id !== null && chosen.includes(id))

/** Whether a changed ticket belongs to this list, by the rules of the server's filter (R-LIVE-01, R-VIS-06). */
export function belongs({ tab, choice, text }: Wanted, viewer: Viewer, row: TicketRow): boolean {
  if (tab === 'asked' ? !asked.includes(row.status) : tab !== 'search' && row.status !== tab) return false
  const everyone = tab === 'search' ? viewer.profile === 'admin' : choice.showAll && mayShowAll(viewer) // R-VIS-03
  if (!everyone && row.userId !== null && row.userId !== viewer.id) return false
  if (tab === 'search' && !everyone && row.status === 'lgpd') return false // A-LGPD-06
  if (row.queueId !== null && !any(choice.queueIds, row.queueId)) return false
  if (!any(choice.connectionIds, row.whatsappId)) return false
  if (viewer.profile === 'admin' && !any(choice.userIds, row.userId)) return false
  if (choice.tagIds.length > 0 && !row.tags.some(({ id }) => choice.tagIds.includes(id))) return false
  if (choice.unread && row.unreadMessages === 0) return false
  return tab !== 'search' || found(text, row)
}

/** A-TICKET-18 without message texts, which only the server can search. */
function found(text: string, { id, contact }: TicketRow): boolean {
  const sought = text.trim()
  if (sought.startsWith('#')) return sought === `#${id}`
  return isCalled(contact, text) || sought === String(id)
}

export const ascending = ({ tab, choice }: Wanted): boolean => (choice.sort ?? (tab === 'pending' ? 'ASC' : 'DESC')) === 'ASC'
const last = '~'
/** The server's order: tickets without a waiting customer come after the longest waiting ones. */
export function order(wanted: Wanted): (a: TicketRow, b: TicketRow) => number {
  const sign = ascending(wanted) ? 1 : -1
  const moment = (row: TicketRow) => (wanted.tab === 'pending' ? (row.waitingSince ?? last) : row.updatedAt)
  return (a, b) => sign * (moment(a) < moment(b) ? -1 : moment(a) > moment(b) ? 1 : a.id - b.id)
}
