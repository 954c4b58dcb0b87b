import type { NotificationSettings } from '#domain/notification/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { translate } from '#web/i18n.ts'
import { lastWords } from '#web/ticket/list/card.ts'
import type { Reason } from './reason.ts'
import { notificationWords } from './words.ts'

const most = 3
const reasons = { message: 'newMessage', assigned: 'newAssigned', waiting: 'newWaiting' } as const satisfies Record<Reason, string>

/** `id`: the ticket; null: the summary. */
export type Notice = { id: number | null; title: string; body: string; path: string }
export type NotifiedTicket = { row: TicketRow; reason: Reason }

/** One notice for each ticket, at most three, and a summary of the others (A-NOTIF-01). */
export function noticesOf(tickets: readonly NotifiedTicket[], how: NotificationSettings['notices']): Notice[] {
  if (how === 'never') return []
  const notices = tickets.slice(0, most).map(({ row, reason }): Notice => {
    const what = translate(notificationWords, reasons[reason])
    const text = how === 'text' ? lastWords(row) : ''
    const body = text === '' ? what : reason === 'message' ? text : `${what}: ${text}`
    return { id: row.id, title: row.contact.name || translate(notificationWords, 'someone'), body, path: `/tickets/${row.uuid}` }
  })
  const others = tickets.length - notices.length
  if (others === 0) return notices
  return [...notices, { id: null, title: 'Guichê', body: translate(notificationWords, 'others', { n: others }), path: '/tickets' }]
}

const shown = new Map<number | null, Notification>()
const isPermitted = () => typeof Notification !== 'undefined' && Notification.permission === 'granted'

/** Shows notices of the browser. A newer one of a ticket replaces the earlier one, also of another page. */
export function showNotices(notices: readonly Notice[], open: (path: string) => void): void {
  if (!isPermitted()) return
  for (const { id, title, body, path } of notices) {
    closeNotice(id)
    let notice: Notification
    try {
      notice = new Notification(title, { body, tag: `guiche-${id ?? 'others'}`, icon: '/icon.svg', silent: true }) // we play our own sound
    } catch {
      return // phones allow notices only from a service worker
    }
    shown.set(id, notice)
    notice.onclick = () => {
      window.focus()
      open(path)
      notice.close()
    }
    notice.onclose = () => shown.get(id) === notice && shown.delete(id)
  }
}

/** Removes the notice of a ticket that was read. */
export function closeNotice(id: number | null): void {
  shown.get(id)?.close()
  shown.delete(id)
}
