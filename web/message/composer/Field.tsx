import { useAtomValue } from 'jotai'
import type { ClipboardEvent, KeyboardEvent, RefObject } from 'react'
import { useLanguage, useWords } from '#web/i18n.ts'
import { messageWords } from '#web/message/words.ts'
import { useViewer } from '#web/session.ts'
import { live } from '#web/socket.ts'
import { narrowAtom } from '#web/ticket/atoms.ts'
import css from './Composer.module.css'
import { contactLanguage } from './field-language.ts'
import { fieldWords } from './field-words.ts'
import type { useQuickReply } from './quickReply.ts'
import { Resizer } from './Resizer.tsx'
import type { ComposerState } from './useComposerState.ts'
import type { useTextEditing } from './useTextEditing.ts'

/** The field itself, with its mode in words above it. */
export function Field({
  field,
  id,
  describedBy,
  state,
  editing,
  quickReply,
  onFocus,
  onKeyDown,
  onPaste,
}: {
  field: RefObject<HTMLTextAreaElement | null>
  id: string
  describedBy: string
  state: ComposerState
  editing: ReturnType<typeof useTextEditing>
  quickReply: ReturnType<typeof useQuickReply>
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  onPaste: (event: ClipboardEvent) => void
}) {
  const { ticket, isOn, isPrivate, draft } = state
  const t = useWords(messageWords)
  const tField = useWords(fieldWords)
  const narrow = useAtomValue(narrowAtom)
  const own = useLanguage()
  const viewer = useViewer()
  return (
    <>
      <Resizer field={field} />
      <label htmlFor={id} className={css.mode} data-part="mode">
        {isPrivate ? tField('note') : tField('replyTo', { name: ticket.contact.name })}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={1}
        dir="auto"
        lang={isPrivate ? own : contactLanguage(ticket.contact.number, viewer.companyLanguage)}
        aria-describedby={describedBy}
        placeholder={t(!isOn ? 'asleep' : isPrivate ? 'writePrivate' : narrow ? 'writeShort' : 'write')}
        value={draft.body}
        onChange={(event) => {
          editing.handleChange(event)
          quickReply.select(event.target)
          if (isOn && !isPrivate && !quickReply.short) live.typing(ticket.id)
        }}
        onSelect={({ currentTarget }) => {
          editing.handleSelect(currentTarget)
          quickReply.select(currentTarget)
        }}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </>
  )
}
