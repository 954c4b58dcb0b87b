import { Button, ProgressBar } from '@blueprintjs/core'
import { useWords } from '#web/i18n.ts'
import { out } from '#web/message/sending.ts'
import type { Sending } from '#web/message/unsent.ts'
import css from './Bubble.module.css'
import { uploadWords } from './upload-words.ts'

/** The progress of an upload. Until it is complete it can be cancelled, which returns its files to the composer. */
export function Upload({ item }: { item: Sending }) {
  const t = useWords(uploadWords)
  return (
    <div className={css.upload}>
      <ProgressBar value={item.share} stripes={false} />
      {out.isCancellable(item) && <Button size="small" variant="minimal" text={t('cancel')} onClick={() => out.cancel(item.key)} />}
    </div>
  )
}
