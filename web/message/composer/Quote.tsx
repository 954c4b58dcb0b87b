import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import type { MessageRow } from '#domain/message/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { bring } from '#web/message/bring.ts'
import { brief } from '#web/message/bubble/in-words.ts'
import { messageWords } from '#web/message/words.ts'
import { Readable } from '#web/ui/Erased.tsx'
import { uiWords } from '#web/ui/words.ts'
import css from './Quote.module.css'
import { composerWords } from './words.ts'

/** Pages of older messages that are loaded to show the quoted one. */
const most = 5

/** The quoted message above the text. It is shown even if it is not loaded, because it is sent with the text. */
export function Quote({ list, id, onClear }: { list: Collection<MessageRow>; id: number; onClear: () => void }) {
  const t = useWords(messageWords)
  const tUi = useWords(uiWords)
  const tComposer = useWords(composerWords)
  const row = useAtomValue(list.row(id)) as MessageRow | null
  const isLoaded = useAtomValue(list.state) === 'ready'
  useEffect(() => {
    let isShown = true
    if (isLoaded) void bring(list, id, { most, wanted: () => isShown })
    return () => {
      isShown = false
    }
  }, [isLoaded, list, id])
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
