import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Duplicate, Edit, Plus, Select as SelectIcon, Share, Trash, Undo } from '@blueprintjs/icons'
import { useSetAtom } from 'jotai'
import { useRef, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import type { TicketRow } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { threadOf } from '#web/message/atoms.ts'
import { inWords } from '#web/message/bubble/in-words.ts'
import { Emojis } from '#web/message/composer/Emojis.tsx'
import { draftOf, modeOf } from '#web/message/composer/early.ts'
import { quick } from '#web/message/composer/emojis.ts'
import { changed } from '#web/message/optimistic.ts'
import { ownChanges } from '#web/message/own.ts'
import { goesOn, pickedAtom } from '#web/message/picked.ts'
import { messageWords } from '#web/message/words.ts'
import { store, useViewer } from '#web/session.ts'
import { allowed } from '#web/ticket/actions.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { leadFocus } from '#web/ui/returnFocus.ts'
import { toast, toastFailure } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './MessageMenu.module.css'
import { pickWords } from './pick-words.ts'

type Of = { message: MessageRow; ticket: TicketRow }

export function MessageMenu({ message, ticket, onClose }: Of & { onClose: () => void }) {
  const tUi = useWords(uiWords)
  const viewer = useViewer()
  const [all, setAll] = useState(false)
  const here = message.ticketId === ticket.id
  const write = allowed(ticket, viewer).write
  const words = inWords(message)
  const react = useReaction(message, ticket, onClose)
  if (all) return <Emojis onChoose={react} />
  return (
    <div className={css.menu}>
      {!message.isPrivate && here && write && <QuickReactions message={message} onReact={react} onMore={() => setAll(true)} />}
      <Menu>
        {(message.isPrivate ? here : write) && <ReplyItem message={message} ticket={ticket} />}
        {goesOn(message) && <ForwardItems message={message} ticket={ticket} />}
        {words !== '' && (
          <MenuItem
            icon={<Duplicate />}
            text={tUi('copy')}
            onClick={() => void navigator.clipboard.writeText(words).then(() => toast(tUi('copied')))}
          />
        )}
        {here && <OwnItems message={message} ticket={ticket} />}
      </Menu>
    </div>
  )
}

/** Sends a reaction and closes the menu. */
function useReaction(message: MessageRow, ticket: TicketRow, onClose: () => void): (type: string) => void {
  const t = useWords(messageWords)
  const chosen = useRef(false)
  return (type) => {
    if (chosen.current) return // ignores the second click of a double click while the menu closes
    chosen.current = true
    onClose()
    void api.messages
      .react({ params: { id: message.id }, body: { type } })
      .then((answer) => {
        const ours = { mediaType: 'reactionMessage', emoji: type, from: 'us', name: null } as const
        const reactions = [...message.reactions.filter(({ from }) => from !== 'us'), ours]
        const reacts = (received: MessageRow) => received.reactions.some(({ emoji, from }) => from === 'us' && emoji === type)
        const row = changed(answer, { ...message, reactions }, reacts)
        store.set(threadOf(ticket.id).apply, [{ op: 'put', row }])
        if (!document.querySelector(`[data-message="${row.id}"]`)) toast(t('reactionSent')) // otherwise the reaction is visible
      })
      .catch(toastFailure)
  }
}

type QuickProps = { message: MessageRow; onReact: (emoji: string) => void; onMore: () => void }
function QuickReactions({ message, onReact, onMore }: QuickProps) {
  const t = useWords(messageWords)
  const reacted = message.reactions.find(({ from }) => from === 'us')?.emoji
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons that belong together, not part of a form
    <div className={css.quick} role="group" aria-label={t('react')}>
      {quick.map((emoji) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={emoji === reacted}
          aria-label={t('reactWith', { emoji })}
          onClick={() => onReact(emoji)}
        >
          {emoji}
        </button>
      ))}
      <button type="button" aria-label={t('moreReactions')} title={t('moreReactions')} onClick={onMore}>
        <Plus />
      </button>
    </div>
  )
}

function ReplyItem({ message, ticket }: Of) {
  const t = useWords(messageWords)
  const handleClick = () => {
    store.set(draftOf(ticket.uuid, store.get(modeOf(ticket.uuid))), { quoted: message.id })
    leadFocus(document.querySelector('[data-part=composer] textarea'))
  }
  return <MenuItem icon={<Undo />} text={t('reply')} onClick={handleClick} />
}

function ForwardItems({ message, ticket }: Of) {
  const t = useWords(messageWords)
  const tPick = useWords(pickWords)
  const setDialog = useSetAtom(dialogAtom)
  const handlePick = () => {
    store.set(pickedAtom, { ticketId: ticket.id, ids: new Set([message.id]) })
    requestAnimationFrame(() => leadFocus(document.querySelector(`[data-message="${message.id}"] [data-part=pick] input`)))
  }
  return (
    <>
      <MenuItem icon={<Share />} text={t('forward')} onClick={() => setDialog({ kind: 'forward', ticket, messages: [message] })} />
      <MenuItem icon={<SelectIcon />} text={tPick('pick')} onClick={handlePick} />
    </>
  )
}

/** Changes of a message of one's own. */
function OwnItems({ message, ticket }: Of) {
  const t = useWords(messageWords)
  const viewer = useViewer()
  const setDialog = useSetAtom(dialogAtom)
  const [now] = useState(Date.now)
  const { edits, removes, young } = ownChanges(message, ticket, viewer, now)
  if (!edits && !removes) return null
  return (
    <>
      <MenuDivider />
      {edits && (
        <MenuItem
          icon={<Edit />}
          text={t('edit')}
          disabled={!young}
          {...(!young && { label: t('tooOld') })}
          onClick={() => setDialog({ kind: 'edit', ticket, message })}
        />
      )}
      {removes && (
        <MenuItem
          icon={<Trash />}
          intent="danger"
          text={t('remove')}
          onClick={() => setDialog({ kind: 'deleteMessage', ticket, message })}
        />
      )}
    </>
  )
}
