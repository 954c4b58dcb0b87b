import { Button, TextArea } from '@blueprintjs/core'
import { Duplicate, User } from '@blueprintjs/icons'
import { useAtomValue, useStore } from 'jotai'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import { frozen } from '#web/live.ts'
import { threadOf } from '#web/message/atoms.ts'
import composer from '#web/message/composer/Composer.module.css'
import { draftOf, filesOf, out } from '#web/message/sending.ts'
import { Pendings } from '#web/message/thread/Pending.tsx'
import { Thread } from '#web/message/thread/Thread.tsx'
import { ticketWords } from '#web/ticket/words.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import chat from './Chat.module.css'
import head from './Header.module.css'
import css from './Taken.module.css'

/** Somebody else has it now, or it left one's queues: what was on screen can still be read, and what was written is not lost. */
export function Taken({ ticket, by }: { ticket: TicketRow; by: string | null }) {
  const say = useWords(ticketWords)
  const [, go] = useLocation()
  const store = useStore()
  const [list] = useState(() => frozen(store, threadOf(ticket.id)))
  const sending = useAtomValue(out.ofTicket(ticket.id)).length > 0
  const { contact } = ticket
  return (
    <div className={chat.chat} data-part="chat">
      <section className={chat.main} data-part="chat-main" aria-label={contact.name}>
        <header className={head.head} data-part="head">
          <span className={head.who} data-part="head-who" data-still>
            <Avatar name={contact.name} picture={contact.urlPicture} size={38} />
            <span className={head.text}>
              <h2>{contact.name}</h2>
              {by !== null && <span className={head.owner}>{by}</span>}
            </span>
          </span>
        </header>
        <div className={css.taken} role="status">
          <User size={16} />
          <p>
            <b>{by === null ? say('takenAway') : say('takenBy', { name: by })}</b> {say('takenText')}
          </p>
          <Button size="small" variant="outlined" text={say('back')} onClick={() => go('/tickets')} />
        </div>
        <Thread ticket={ticket} list={list} still>
          {sending && <Pendings ticket={ticket} list={list} />}
        </Thread>
        <Written ticketId={ticket.id} />
      </section>
    </div>
  )
}

/** The draft, to be read and copied; it waits here should the ticket come back. */
function Written({ ticketId }: { ticketId: number }) {
  const say = useWords(ticketWords)
  const sayUi = useWords(uiWords)
  const { body, isPrivate } = useAtomValue(draftOf(ticketId))
  const files = useAtomValue(filesOf(ticketId))
  if (body.trim() === '' && files.length === 0) return null
  const copy = async () => {
    await navigator.clipboard.writeText(body)
    toast(sayUi('copied'))
  }
  return (
    <div className={`${composer.composer} taken-draft`} data-part="composer" data-private={isPrivate || undefined}>
      <p className={css.label}>
        <span id="taken-draft">{say(isPrivate ? 'takenNote' : 'takenDraft')}</span>
        {body.trim() !== '' && (
          <Button size="small" variant="minimal" icon={<Duplicate />} text={sayUi('copy')} onClick={() => void copy()} />
        )}
      </p>
      {body.trim() !== '' && <TextArea readOnly fill autoResize aria-labelledby="taken-draft" value={body} />}
      {files.length > 0 && <p className={css.files}>{files.map(({ name }) => name).join(', ')}</p>}
    </div>
  )
}
