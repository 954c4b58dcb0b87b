import { Button } from '@blueprintjs/core'
import { Share } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useMemo } from 'react'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { pickWords } from '#web/message/bubble/pick-words.ts'
import { pickedAtom, pickedIn } from '#web/message/picked.ts'
import { messageWords } from '#web/message/words.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import css from './PickedBar.module.css'

const covered = '.bp6-dialog, .bp6-popover-open, [data-part=palette], [data-part=lightbox]'

/** The actions on selected messages. It replaces the composer in selection mode. */
export function PickedBar({ ticket }: { ticket: TicketRow }) {
  const t = useWords(pickWords)
  const tMessage = useWords(messageWords)
  const picked = useAtomValue(useMemo(() => pickedIn({ id: ticket.id }), [ticket.id]))
  const setPicked = useSetAtom(pickedAtom)
  const setDialog = useSetAtom(dialogAtom)
  const { length: n } = picked
  useEffect(() => {
    const stop = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector(covered)) setPicked(null)
    }
    document.addEventListener('keydown', stop)
    return () => document.removeEventListener('keydown', stop)
  }, [setPicked])
  return (
    <div className={css.bar} data-part="picked">
      <p role="status">{n === 0 ? t('none') : n === 1 ? t('one') : t('many', { n })}</p>
      <Button text={t('stop')} onClick={() => setPicked(null)} />
      <Button
        intent="primary"
        icon={<Share />}
        text={tMessage('forward')}
        disabled={n === 0}
        onClick={() => setDialog({ kind: 'forward', ticket, messages: picked })}
      />
    </div>
  )
}
