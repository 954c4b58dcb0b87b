import { Button, PopoverNext } from '@blueprintjs/core'
import { ChevronDown } from '@blueprintjs/icons'
import { lazy, Suspense, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { messageWords } from './words.ts'

const MessageMenu = lazy(() => import('./MessageMenu.tsx').then(({ MessageMenu }) => ({ default: MessageMenu })))

/** The popover comes with the first use of its button: a thread holds hundreds of messages. R-INBOX-19: nothing to do with a deleted one. */
export function MessageActions({ message, ticket }: { message: MessageRow; ticket: TicketRow }) {
  const say = useWords(messageWords)
  const [used, use] = useState(false)
  const [open, show] = useState(false)
  const button = (
    <Button
      className="bubble-more"
      variant="minimal"
      size="small"
      icon={<ChevronDown />}
      aria-label={say('messageActions')}
      aria-haspopup="menu"
      disabled={message.isDeleted}
      {...(!used && {
        onClick: () => {
          use(true)
          show(true)
        },
      })}
    />
  )
  if (!used) return button
  return (
    <PopoverNext
      placement="bottom-end"
      arrow={false}
      isOpen={open}
      onInteraction={show}
      content={
        <Suspense fallback={<div className="menu-waits" />}>
          <MessageMenu message={message} ticket={ticket} close={() => show(false)} />
        </Suspense>
      }
    >
      {button}
    </PopoverNext>
  )
}
