import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import type { MessageRow } from '#domain/message/contract.ts'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { brief } from '#web/message/bubble/in-words.ts'
import { messageWords } from '#web/message/words.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Quote.module.css'

/** The quoted message above the text. */
export function Quote({ list, id, onClear }: { list: Collection<MessageRow>; id: number; onClear: () => void }) {
  const t = useWords(messageWords)
  const tUi = useWords(uiWords)
  const row = useAtomValue(list.row(id)) as MessageRow | null
  if (!row) return null
  return (
    <div className={css.quote} data-us={row.fromMe || undefined}>
      <p>
        <b>{t('replyTo', { name: row.fromMe ? (row.user?.name ?? t('we')) : (row.contact?.name ?? '') })}</b>
        <span>{brief(row.mediaType, row.body)}</span>
      </p>
      <Button variant="minimal" size="small" icon={<Cross />} aria-label={tUi('cancel')} onClick={onClear} />
    </div>
  )
}
