import { Button, ProgressBar } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import type { DataRequestRow } from '#domain/data-request/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { kilobytes } from '#web/ui/files.ts'
import { dateAndHour } from '#web/ui/moment.ts'
import { createRequestAtom, saveResult } from './atoms.ts'
import css from './DataRequest.module.css'
import { dataRequestWords } from './words.ts'

/** The progress of a request, and at its end the receipt or the archive. */
export function RequestProgress({ started, onDone }: { started: DataRequestRow; onDone?: () => void }) {
  const t = useWords(dataRequestWords)
  const [requestAtom] = useState(() => createRequestAtom(started))
  const request = useAtomValue(requestAtom)
  const { kind, state, done, total } = request
  const tell = useEffectEvent(() => onDone?.())
  useEffect(() => {
    if (state === 'done') tell()
  }, [state])
  return (
    <section className={css.body} data-part="data-request">
      {state === 'running' ? (
        <>
          <ProgressBar {...(total > 0 && { value: done / total })} intent="primary" aria-label={t(`running${kind}`)} />
          <p role="status">
            {t(`running${kind}`)} {total > 0 && t('runningTickets', { done, all: total })}
          </p>
          <p className={css.quiet}>{t('goesOn')}</p>
        </>
      ) : (
        <>
          <p role="status">
            <strong>{t(state === 'done' ? `done${kind}` : state === 'failed' ? `failed${kind}` : 'gone')}</strong>
          </p>
          {state === 'done' && kind === 'erasure' && <p className={css.quiet}>{t('receiptText')}</p>}
          {state === 'done' && <Until request={request} />}
          <ResultButton request={request} />
        </>
      )}
    </section>
  )
}

/** When the file of an export is removed. */
export function Until({ request: { expiresAt } }: { request: DataRequestRow }) {
  const t = useWords(dataRequestWords)
  const language = useLanguage()
  return expiresAt && <p className={css.quiet}>{t('until', { at: dateAndHour(expiresAt, language) })}</p>
}

/** Saves what a finished request gives. */
export function ResultButton({ request, small = false }: { request: DataRequestRow; small?: boolean }) {
  const t = useWords(dataRequestWords)
  const language = useLanguage()
  const act = useAsyncAction()
  if (request.state !== 'done') return null
  const text = t(request.kind === 'erasure' ? 'receipt' : 'download')
  return (
    <Button
      className={css.action ?? ''}
      icon={<Download />}
      {...(small && { size: 'small' })}
      text={request.size === null ? text : `${text} (${kilobytes(request.size, language)})`}
      loading={act.pending}
      onClick={() => void act(() => saveResult(request))()}
    />
  )
}
