import type { TicketRow } from '#domain/ticket/contract.ts'
import { say } from '#web/i18n.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { toast } from '#web/ui/toaster.ts'

/** R-INBOX-15: the thread alone, unrolled, on A4; the browser prints or saves it. */
export function printThread({ id, contact }: TicketRow): void {
  const thread = document.querySelector(`[data-thread="${id}"] .thread-inner`)
  if (!thread) {
    toast(say(ticketWords, 'nothingToPrint'), 'warning')
    return
  }
  const sheet = document.createElement('div')
  sheet.className = 'print-sheet'
  const title = document.createElement('h1')
  title.textContent = `${contact.name} · #${id}`
  sheet.append(title, thread.cloneNode(true))
  document.body.append(sheet)
  window.addEventListener('afterprint', () => sheet.remove(), { once: true })
  window.print()
}
