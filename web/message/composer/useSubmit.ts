import { useStore } from 'jotai'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { sendDraft } from '#web/message/sending.ts'
import { messageWords } from '#web/message/words.ts'
import { modeFor } from './drafts.ts'
import { draftOf, takeEarly } from './early.ts'
import { fieldWords } from './field-words.ts'
import type { useQuickReply } from './quickReply.ts'
import type { ComposerState, LeftBehind } from './useComposerState.ts'

/** Sends the draft, and the texts that were submitted before the ticket had loaded. */
export function useSubmit(
  state: ComposerState,
  left: LeftBehind | null,
  quickReply: ReturnType<typeof useQuickReply>,
  field: RefObject<HTMLTextAreaElement | null>,
) {
  const t = useWords(messageWords)
  const tField = useWords(fieldWords)
  const store = useStore()
  const [wished, setWished] = useState<string | null>(null)
  const { ticket, mode, draft, overtaken, refuse } = state

  const sendEarly = useEffectEvent(() => {
    for (const early of takeEarly(ticket.uuid)) {
      const may = early.mode === 'note' || state.mayWrite
      if (may && sendDraft(ticket, early)) continue
      const { body } = store.get(draftOf(ticket.uuid, early.mode))
      store.set(draftOf(ticket.uuid, early.mode), { body: [body, early.body].filter(Boolean).join('\n') })
      refuse(tField('notSent'))
    }
  })
  useEffect(() => {
    if (left === null) sendEarly()
  }, [left])

  const send = (anyway: boolean) => {
    const from = anyway && overtaken ? modeFor(overtaken.item.isPrivate) : mode
    if (!sendDraft(ticket, { mode: from, anyway })) return
    if (anyway) state.setOvertaken(null) // saving a note decides nothing about the reply
    field.current?.focus()
  }
  /** A shortcut is never sent as it is: the agent chooses a reply or closes the list first. */
  const submit = () => {
    if (state.isWaiting) return // Enter does nothing while a colleague's answer needs a decision
    const { slash, raw } = quickReply
    if (!state.isOn) {
      if (!state.isEmpty) refuse(tField('notSent'))
    } else if (slash) {
      setWished(draft.body)
      field.current?.focus()
    } else if (raw !== null) state.setNotices([{ text: t('rawShortcode', { raw }), verb: t('sendAsIs'), run: () => send(false) }])
    else send(false)
  }
  /** `isWished`: the first quick reply is chosen as soon as the list has loaded. */
  return { send, submit, isWished: wished === draft.body }
}
