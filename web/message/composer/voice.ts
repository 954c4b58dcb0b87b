import type { TicketRow } from '#domain/ticket/contract.ts'
import { translate } from '#web/i18n.ts'
import { filesOf, overtakenOf, sendDraft } from '#web/message/sending.ts'
import { store, viewer } from '#web/session.ts'
import { allowed } from '#web/ticket/actions.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { toast } from '#web/ui/toaster.ts'
import { noticesOf } from './Notices.tsx'
import { composerWords } from './words.ts'

/** Who ended a recording: the agent by a button, by going elsewhere, or the device by itself. */
export type End = 'sent' | 'cancelled' | 'away' | 'device'

const keep = (ticketId: number, file: File) => store.set(filesOf(ticketId, 'reply'), (now) => [...now, file])

/** What was spoken in a ticket leaves in that ticket, or stays there unfinished; only the agent's own decision discards it (A-COMP-20). */
export function endVoice(ticket: TicketRow, file: File, end: End): void {
  const { id } = ticket
  const said = (word: 'recordingKept' | 'recordingStopped') =>
    store.set(noticesOf(id), (now) => [...now, { text: translate(composerWords, word) }])
  if (end === 'cancelled')
    toast(translate(composerWords, 'recordingDropped'), 'warning', {
      action: { text: translate(ticketWords, 'undo'), run: () => keep(id, file) },
      timeout: 10_000,
    })
  else if (end === 'sent' && allowed(ticket, viewer()).write && store.get(overtakenOf(id)) === null)
    sendDraft(ticket, { mode: 'reply', voice: [file] })
  else {
    keep(id, file)
    if (end === 'device') said('recordingStopped')
    else toast(translate(composerWords, 'recordingKept'), 'primary')
  }
}
