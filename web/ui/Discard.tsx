import { Button, DialogFooter } from '@blueprintjs/core'
import { useWords } from '#web/i18n.ts'
import css from './Discard.module.css'
import type { Unsaved } from './unsaved.ts'
import { uiWords } from './words.ts'

/** Replaces the buttons of a form and names what would be lost. */
export function Discard({ of: { lost, stay, discard } }: { of: Pick<Unsaved, 'lost' | 'stay' | 'discard'> }) {
  const t = useWords(uiWords)
  const labels = lost()
  return (
    <DialogFooter
      actions={
        <>
          <Button intent="primary" text={t('goOn')} autoFocus onClick={stay} />
          <Button intent="danger" variant="outlined" text={t('discardIt')} onClick={discard} />
        </>
      }
    >
      <div role="alert">
        <p>{t('discard')}</p>
        {labels.length > 0 && <p className={css.lost}>{labels.join(' · ')}</p>}
      </div>
    </DialogFooter>
  )
}
