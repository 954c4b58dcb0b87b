import { Button, Spinner } from '@blueprintjs/core'
import { Tick } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { lazy, Suspense, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { worksAtom } from './atoms.ts'
import { workWords } from './words.ts'

const WorksDialog = lazy(() =>
  import('./BulkOperationsDialog.tsx').then(({ BulkOperationsDialog: WorksDialog }) => ({ default: WorksDialog })),
)

/** Progress of the viewer's own bulk operations in the top bar, while there are any. */
export function BulkOperations() {
  const t = useWords(workWords)
  const works = useAtomValue(worksAtom)
  const [listed, setListed] = useState(false)
  if (works.length === 0) return null
  const running = works.filter(({ state }) => state === 'running')
  const sum = (of: 'done' | 'total') => running.reduce((all, work) => all + work[of], 0)
  const [done, all] = [sum('done'), sum('total')]
  const text = running.length > 0 ? t('running', { done, all }) : t('ended')
  return (
    <span data-part="works">
      <Button
        size="small"
        variant="outlined"
        icon={running.length > 0 ? <Spinner size={16} value={all === 0 ? 0 : done / all} /> : <Tick />}
        text={running.length > 0 ? text : undefined}
        aria-label={running.length > 0 ? `${t('title')}: ${text}` : text}
        title={running.length > 0 ? t('title') : text}
        onClick={() => setListed(true)}
      />
      {listed && (
        <Suspense>
          <WorksDialog onClose={() => setListed(false)} />
        </Suspense>
      )}
    </span>
  )
}
