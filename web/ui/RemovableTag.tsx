import { Classes, Tag } from '@blueprintjs/core'
import { SmallCross } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { useWords } from '#web/i18n.ts'
import { uiWords } from './words.ts'

/** A tag that can be removed. The button of Blueprint's own tag has an English name. */
export function RemovableTag({ onRemove, children }: { onRemove: () => void; children: ReactNode }) {
  const t = useWords(uiWords)
  return (
    <Tag
      endIcon={
        <button type="button" className={Classes.TAG_REMOVE} aria-label={t('removeFilter')} title={t('removeFilter')} onClick={onRemove}>
          <SmallCross />
        </button>
      }
    >
      {children}
    </Tag>
  )
}
