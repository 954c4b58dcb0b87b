import { useAtomValue, useSetAtom } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { goesOn, pickAtom, pickedAtom } from '#web/message/picked.ts'
import { brief } from './in-words.ts'
import css from './Pick.module.css'
import { pickWords } from './pick-words.ts'

/** In selection mode the whole message is a checkbox. */
export function Pick({ message, ticket }: { message: MessageRow; ticket: TicketRow }) {
  const t = useWords(pickWords)
  const picked = useAtomValue(pickedAtom)
  const pick = useSetAtom(pickAtom)
  if (picked?.ticketId !== ticket.id || !goesOn(message)) return null
  return (
    <label className={css.pick} data-part="pick" onPointerDown={(event) => event.stopPropagation()}>
      <input
        type="checkbox"
        aria-label={t('pickThis', { text: brief(message.mediaType, message.body, message.vCard).slice(0, 60) })}
        checked={picked.ids.has(message.id)}
        onChange={() => pick(ticket.id, message.id)}
      />
    </label>
  )
}
