import type { TicketRow } from '#domain/ticket/contract.ts'
import { translate } from '#web/i18n.ts'
import { filesOf, overtakenOf, sendDraft } from '#web/message/sending.ts'
import { store, viewer } from '#web/session.ts'
import { allowed } from '#web/ticket/actions.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { toast } from '#web/ui/toaster.ts'
import { attachmentOf } from './drafts.ts'
import { noticesOf } from './Notices.tsx'
import { composerWords } from './words.ts'

/** How a recording ended: by a button, by leaving the ticket, or by the device. */
export type End = 'sent' | 'cancelled' | 'away' | 'device'

const keep = (ticketId: number, file: File) => store.set(filesOf(ticketId, 'reply'), (now) => [...now, attachmentOf(file)])

/** Sends a recording in its own ticket, or keeps it there unsent. Only the agent discards it (A-COMP-20). */
export function endVoice(ticket: TicketRow, file: File, end: End): void {
  const { id } = ticket
  if (end === 'cancelled')
    toast(translate(composerWords, 'recordingDropped'), 'warning', {
      action: { text: translate(ticketWords, 'undo'), run: () => keep(id, file) },
      timeout: 10_000,
    })
  else if (end === 'sent' && allowed(ticket, viewer()).write && store.get(overtakenOf(id)) === null)
    sendDraft(ticket, { mode: 'reply', voice: [file] })
  else {
    keep(id, file)
    if (end === 'device') store.set(noticesOf(id), (now) => [...now, { text: translate(composerWords, 'recordingStopped') }])
    else toast(translate(composerWords, 'recordingKept', { name: ticket.contact.name }), 'primary')
  }
}
