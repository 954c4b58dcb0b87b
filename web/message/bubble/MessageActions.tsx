import { Button } from '@blueprintjs/core'
import { ChevronDown } from '@blueprintjs/icons'
import { lazy } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { Drop } from '#web/ticket/list/Drop.tsx'
import bubble from './Bubble.module.css'

const MessageMenu = lazy(() => import('./MessageMenu.tsx').then(({ MessageMenu }) => ({ default: MessageMenu })))

/** R-INBOX-19: a deleted message has no actions. */
export function MessageActions({ message, ticket }: { message: MessageRow; ticket: TicketRow }) {
  const t = useWords(messageWords)
  return (
    <Drop placement="bottom-end" content={(close) => <MessageMenu message={message} ticket={ticket} onClose={close} />}>
      <Button
        className={bubble.more!}
        data-part="bubble-more"
        variant="minimal"
        size="small"
        icon={<ChevronDown />}
        aria-label={`${t('messageActions')}: ${(message.body || (message.media?.name ?? '')).slice(0, 40)}`}
        disabled={message.isDeleted}
      />
    </Drop>
  )
}
