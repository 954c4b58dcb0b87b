import { say } from '#web/i18n.ts'
import { filesOf } from '#web/message/sending.ts'
import { store } from '#web/session.ts'
import { ticketWords } from '#web/ticket/words.ts'
import { toast } from '#web/ui/toaster.ts'
import { composerWords } from './words.ts'

const wait = (ticketId: number, file: File) => store.set(filesOf(ticketId), (now) => [...now, file])

/** What was spoken waits in the ticket's draft when its ticket is left; when it is thrown away it can be had back. */
export function keepVoice(ticketId: number, file: File, how: 'away' | 'cancelled'): void {
  if (how === 'away') {
    wait(ticketId, file)
    toast(say(composerWords, 'recordingKept'), 'primary')
  } else
    toast(say(composerWords, 'recordingDropped'), 'warning', {
      action: { text: say(ticketWords, 'undo'), run: () => wait(ticketId, file) },
      timeout: 10_000,
    })
}
