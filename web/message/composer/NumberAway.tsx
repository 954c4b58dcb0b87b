import { useAtomValue } from 'jotai'
import { isUp } from '#domain/connection/rules.ts'
import { hasPhoneNumbers } from '#domain/contact/rules.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { connectionChoices } from '#web/ticket/choices.ts'
import css from './AnswerWindow.module.css'
import { composerWords } from './words.ts'

/** States from which a connection does not return by itself: somebody must link it. */
const unlinked = new Set(['DISCONNECTED', 'qrcode', 'TIMEOUT'])

/**
 * Warns that the ticket's connection is down and what happens to messages meanwhile. Agents do not see the reason.
 */
export function NumberAway({ ticket: { whatsappId, channel } }: { ticket: TicketRow }) {
  const t = useWords(composerWords)
  const now = useAtomValue(connectionChoices.all).find(({ id }) => id === whatsappId)
  const away = now !== undefined && !isUp(now)
  const one = hasPhoneNumbers(channel) ? 'number' : 'page'
  return (
    <div role="status">
      {away && (
        <p className={css.note} data-part="number-away">
          {t(`${one}${unlinked.has(now.status) ? 'Unlinked' : 'Away'}`)}
        </p>
      )}
    </div>
  )
}
