import { Button, ProgressBar } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { api } from '#web/api.ts'
import { worksAtom } from '#web/bulk-operation/atoms.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { downloadErrors } from './download.ts'
import css from './ImportContacts.module.css'
import { importWords } from './words.ts'

/** The progress of an import, and at its end what became of the rows. */
export function ImportProgress({ workId, importId }: { workId: number; importId: number }) {
  const t = useWords(importWords)
  const act = useAsyncAction()
  const work = useAtomValue(worksAtom).find(({ id }) => id === workId)
  const isRunning = work?.state === 'running'
  return (
    <section className={css.preview}>
      {work && isRunning ? (
        <>
          <ProgressBar value={work.total === 0 ? 0 : work.done / work.total} intent="primary" aria-label={t('title')} />
          <p role="status">{t('running', { done: work.done, all: work.total })}</p>
          <p>{t('goesOn')}</p>
          <Button
            className={css.action ?? ''}
            text={t('stop')}
            loading={act.pending}
            onClick={() => void act(() => api.works.cancel({ params: { id: workId } }))()}
          />
        </>
      ) : (
        <Result workId={workId} importId={importId} isStopped={work?.state === 'cancelled'} />
      )}
    </section>
  )
}

const outcomes = ['created', 'updated', 'unchanged', 'ignored'] as const
function Result({ workId, importId, isStopped }: { workId: number; importId: number; isStopped: boolean }) {
  const t = useWords(importWords)
  const language = useLanguage()
  const act = useAsyncAction()
  const [asked] = useState(() => createRemoteAtom(() => api.contactImports.result({ params: { id: importId } })))
  const result = useAtomValue(asked)
  const isNothing = result.state === 'ready' && result.value.ignored === result.value.total
  return (
    <>
      <p role="status">
        <strong>{t(isNothing ? 'nothingDone' : isStopped ? 'stopped' : 'ended')}</strong>
      </p>
      {result.state === 'ready' && (
        <dl className={css.result}>
          {outcomes.map((outcome) => (
            <div key={outcome}>
              <dt>{t(outcome)}</dt>
              <dd className="nums">{amount(result.value[outcome], language)}</dd>
            </div>
          ))}
        </dl>
      )}
      {result.state === 'ready' && result.value.ignored > 0 && (
        <Button
          className={css.action ?? ''}
          text={t('errorFile')}
          loading={act.pending}
          onClick={() => void act(() => downloadErrors(workId))()}
        />
      )}
    </>
  )
}
