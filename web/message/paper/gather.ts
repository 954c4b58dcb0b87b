import type { MessageRow } from '#domain/message/contract.ts'
import type { NoteRow } from '#domain/note/contract.ts'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { api } from '#web/api.ts'
import { inOrder } from '#web/message/atoms.ts'
import { nowDate } from '#web/ui/now.ts'

/** The whole conversation for printing, as of one moment. */
export type Gathered = {
  messages: MessageRow[]
  notes: NoteRow[]
  log: TicketLogRow[]
  /** Number of messages in earlier tickets, whether or not they are printed. */
  earlier: number
  at: string
}
type How = { earlier: boolean; signal: AbortSignal; progress: (done: number, all: number) => void }

/** Loads every page. New messages shift the pages, so a message may arrive twice but none is missing. */
export async function gather(ticketId: number, { earlier: wide, signal, progress }: How): Promise<Gathered> {
  const params = { ticketId }
  const { messages, earlier } = await api.messages.print({ params }, { signal })
  const all = wide ? messages + earlier : messages
  const found = new Map<number, MessageRow>()
  const at = nowDate().toISOString()
  for (let pageNumber = 1, more = true; more; pageNumber++) {
    const page = await api.messages.list({ params, query: { pageNumber } }, { signal })
    const wanted = page.messages.filter((row) => wide || row.ticketId === ticketId)
    for (const row of wanted) found.set(row.id, row)
    progress(Math.min(found.size, all), all)
    more = page.hasMore && wanted.length === page.messages.length
  }
  const [notes, log] = await Promise.all([api.notes.list({ query: { ticketId } }, { signal }), api.ticketLogs.list({ params }, { signal })])
  return { messages: [...found.values()].toSorted(inOrder), notes, log, earlier, at }
}
