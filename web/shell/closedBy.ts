import { useEffect } from 'react'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { ticketTopic } from '#domain/ticket/topic.ts'
import { api } from '#web/api.ts'
import { translate } from '#web/i18n.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import { store, viewerAtom } from '#web/session.ts'
import { live } from '#web/socket.ts'
import { toast } from '#web/ui/toaster.ts'
import { shellWords } from './words.ts'

const gathering = 1000
/** Whether closing was the last change of the ticket and the viewer served it. */
const closedNow = ({ status, userId, closedAt, updatedAt }: TicketRow) =>
  status === 'closed' && closedAt === updatedAt && userId === store.get(viewerAtom)?.id

/** Tells an agent that a colleague closed their tickets; the log contains the colleague's name. */
export function useClosedBy(): void {
  useEffect(() => {
    const announced = new Set<string>()
    let news: TicketRow[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = async () => {
      timer = undefined
      const rows = news
      news = []
      const { id } = rows[0]!
      const log = await api.ticketLogs.list({ params: { ticketId: id } })
      const { user = null, way } = log.findLast(({ type }) => type === 'closed') ?? {}
      if (!user || user.id === store.get(viewerAtom)?.id) return
      const [one, more] = way === 'connectionRemoved' ? (['closedGoneOne', 'closedGone'] as const) : (['closedByOne', 'closedBy'] as const)
      const what =
        rows.length === 1
          ? translate(shellWords, one, { user: user.name, name: rows[0]!.contact.name })
          : translate(shellWords, more, { user: user.name, n: rows.length })
      toast(what, 'warning', { timeout: 15_000 })
    }
    const end = live.subscribe(ticketTopic.name, (frames) => {
      for (const { ticket } of frames) {
        const row = ticket as TicketRow | undefined
        if (!row || !closedNow(row) || announced.has(`${row.id} ${row.closedAt}`)) continue
        announced.add(`${row.id} ${row.closedAt}`)
        news.push(row)
        timer ??= setTimeout(() => void ignoreErrors(tell(), 'the lists show the closed tickets without the notice'), gathering)
      }
    })
    return () => {
      end()
      clearTimeout(timer)
    }
  }, [])
}
