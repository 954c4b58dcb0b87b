import { useAtomValue } from 'jotai'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { connectionChoices } from '#web/ticket/choices.ts'
import css from './AnswerWindow.module.css'
import { composerWords } from './words.ts'

/** By itself none of these stands again: somebody has to link it. */
const unlinked = new Set(['DISCONNECTED', 'qrcode', 'TIMEOUT'])

/** That the ticket's number or page is away, and what becomes of what is written meanwhile; why is not for who answers customers. */
export function NumberAway({ ticket: { whatsappId, channel } }: { ticket: TicketRow }) {
  const t = useWords(composerWords)
  const now = useAtomValue(connectionChoices.all).find(({ id }) => id === whatsappId)
  const away = now !== undefined && (now.status !== 'CONNECTED' || now.silentSince !== null)
  const one = channel === 'facebook' || channel === 'instagram' ? 'page' : 'number'
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
