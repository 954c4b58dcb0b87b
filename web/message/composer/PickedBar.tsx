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

/** What becomes of the messages that are picked; in the place of the composer until that is over. */
export function PickedBar({ ticket }: { ticket: TicketRow }) {
  const say = useWords(pickWords)
  const sayMessage = useWords(messageWords)
  const picked = useAtomValue(useMemo(() => pickedIn({ id: ticket.id }), [ticket.id]))
  const put = useSetAtom(pickedAtom)
  const ask = useSetAtom(dialogAtom)
  const { length: n } = picked
  useEffect(() => {
    const stop = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector(covered)) put(null)
    }
    document.addEventListener('keydown', stop)
    return () => document.removeEventListener('keydown', stop)
  }, [put])
  return (
    <div className={css.bar} data-part="picked">
      <p role="status">{n === 0 ? say('none') : n === 1 ? say('one') : say('many', { n })}</p>
      <Button text={say('stop')} onClick={() => put(null)} />
      <Button
        intent="primary"
        icon={<Share />}
        text={sayMessage('forward')}
        disabled={n === 0}
        onClick={() => ask({ kind: 'forward', messages: picked })}
      />
    </div>
  )
}
