import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { ignoreErrors } from '#web/ignore-errors.ts'
import type { Collection } from '#web/live.ts'
import { brief } from '#web/message/bubble/in-words.ts'
import { messageWords } from '#web/message/words.ts'
import { Readable } from '#web/ui/Erased.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './Quote.module.css'
import { composerWords } from './words.ts'

type Of = { ticketId: number; list: Collection<MessageRow>; id: number; onClear: () => void }
/** The quoted message above the text. It is shown even if it is not loaded, because it is sent with the text. */
export function Quote({ ticketId, list, id, onClear }: Of) {
  const t = useWords(messageWords)
  const tUi = useWords(uiWords)
  const tComposer = useWords(composerWords)
  const row = useQuoted(ticketId, list, id)
  return (
    <div className={css.quote} data-part="quote" data-us={row?.fromMe || undefined}>
      <p>
        <b>
          {row ? t('replyTo', { name: row.fromMe ? (row.user?.name ?? t('we')) : (row.contact?.name ?? '') }) : tComposer('quoteEarlier')}
        </b>
        <span>{row && <Readable text={brief(row.mediaType, row.body)} />}</span>
      </p>
      <Button variant="minimal" size="small" icon={<Cross />} aria-label={tUi('cancel')} onClick={onClear} />
    </div>
  )
}

/** The quoted message: from the conversation, or loaded alone if the conversation shows other messages. */
function useQuoted(ticketId: number, list: Collection<MessageRow>, id: number): MessageRow | null {
  const shown = useAtomValue(list.row(id)) as MessageRow | null
  const [kept, setKept] = useState(shown)
  if (shown && shown !== kept) setKept(shown)
  const row = shown ?? (kept?.id === id ? kept : null)
  const isMissing = row === null
  useEffect(() => {
    if (!isMissing) return
    let isCurrent = true
    const loaded = api.messages.list({ params: { ticketId }, query: { sinceId: id } })
    void ignoreErrors(
      loaded.then(({ messages: [first] }) => isCurrent && first && setKept(first)),
      'the quote is shown without its text',
    )
    return () => {
      isCurrent = false
    }
  }, [isMissing, ticketId, id])
  return row
}
