import { translate } from '#web/i18n.ts'
import { toast } from '#web/ui/toaster.ts'
import { ticketWords } from './words.ts'

type Go = (to: string) => void
/** Opens the ticket of an answer if the agent `isStill` where they requested it; otherwise offers it in a toast. */
export function arriveAt({ uuid, contact }: { uuid: string; contact: { name: string } }, isStill: () => boolean, go: Go): void {
  const open = () => go(`/tickets/${uuid}`)
  if (isStill()) open()
  else if (!location.pathname.endsWith(uuid))
    toast(translate(ticketWords, 'readyToOpen', { name: contact.name }), 'success', {
      action: { text: translate(ticketWords, 'open'), run: open },
      timeout: 10_000,
    })
}
