import { Button, DialogFooter } from '@blueprintjs/core'
import { useWords } from '#web/i18n.ts'
import css from './Discard.module.css'
import type { Unsaved } from './unsaved.ts'
import { uiWords } from './words.ts'

/** Replaces the buttons of a form and names what would be lost. */
export function Discard({ lost, of: { stay, discard } }: { lost: readonly string[]; of: Pick<Unsaved, 'stay' | 'discard'> }) {
  const t = useWords(uiWords)
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
        {lost.length > 0 && <p className={css.lost}>{lost.join(' · ')}</p>}
      </div>
    </DialogFooter>
  )
}
