import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { translate } from '#web/i18n.ts'
import { createLiveCollection } from '#web/live.ts'
import { store, viewerAtom } from '#web/session.ts'
import { createUserStorageAtom } from '#web/ui/session-storage-atom.ts'
import { toast } from '#web/ui/toaster.ts'
import { shellWords } from './words.ts'

const pageSize = 100
const most = 200
const belongs = ({ status, userId, transfer }: TicketRow): boolean =>
  transfer !== null && (status === 'open' || status === 'group') && userId === store.get(viewerAtom)?.id

/** Tickets that a colleague transferred to the viewer and that the viewer has not opened. */
const handedTickets = createLiveCollection<TicketRow>({
  topic: ticketTopic,
  room: { name: 'Notification' },
  pageSize,
  load: (pageNumber) =>
    api.tickets
      .list({ query: { statusFilter: JSON.stringify(['open', 'group']), pageNumber, pageSize } })
      .then(({ tickets, hasMore }) => ({ rows: tickets.filter(belongs), hasMore })),
  belongs,
})

/** Transfers that this tab has announced, kept over a reload. */
const announcedAtom = createUserStorageAtom<string[]>('handed', [])
const key = ({ id, transfer }: TicketRow) => `${id} ${transfer!.at}`

/** Announces who transferred which ticket and why. Transfers during an absence are announced on return. */
export function useHanded(): void {
  const rows = useAtomValue(handedTickets.all)
  const [, go] = useLocation()
  /** Toasts of tickets that are still unopened. */
  const standing = useRef(new Map<string, () => void>())
  useEffect(() => {
    const announced = store.get(announcedAtom)
    const news = rows.filter((row) => !announced.includes(key(row)))
    if (news.length > 0) store.set(announcedAtom, [...announced, ...news.map(key)].slice(-most))
    for (const { uuid, contact, transfer } of news) {
      const who = transfer!.user?.name
      const name = contact.name
      const what = who ? translate(shellWords, 'handed', { user: who, name }) : translate(shellWords, 'handedByOne', { name })
      const away = toast(transfer!.note ? `${what}: ${transfer!.note}` : what, 'primary', {
        action: { text: translate(shellWords, 'open'), run: () => go(`/tickets/${uuid}`) },
        timeout: 15_000,
      })
      standing.current.set(uuid, away)
    }
    for (const [uuid, away] of standing.current) {
      if (rows.some((row) => row.uuid === uuid)) continue
      away()
      standing.current.delete(uuid)
    }
  }, [rows, go])
}
