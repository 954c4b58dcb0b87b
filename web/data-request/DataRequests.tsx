import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Shield } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { DataRequestRow } from '#domain/data-request/contract.ts'
import { ContactName } from '#web/contact/ContactName.tsx'
import { useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import { uiWords } from '#web/ui/words.ts'
import { createRequestsAtom } from './atoms.ts'
import css from './DataRequest.module.css'
import { ResultButton, Until } from './RequestProgress.tsx'
import { dataRequestWords } from './words.ts'

/** The erasures and exports of people's data, newest first, with their receipts and files. */
export function DataRequests({ onClose }: { onClose: () => void }) {
  const t = useWords(dataRequestWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()
  const [of] = useState(createRequestsAtom)
  const loaded = useAtomValue(of.list)
  const reload = useSetAtom(of.reload)
  const showMore = useSetAtom(of.showMore)
  useReturnFocus()
  return (
    <Dialog isOpen size="wide" title={t('list')} onClose={onClose}>
      <DialogBody>
        {loaded.state === 'failed' && <ErrorView error={loaded.error} onRetry={reload} />}
        {loaded.state === 'loading' && <Skeleton rows={6} height={48} />}
        {loaded.state === 'ready' && loaded.value.requests.length === 0 && (
          <Empty icon={<Shield size={20} />} title={t('empty')}>
            {t('lead')}
          </Empty>
        )}
        {loaded.state === 'ready' && loaded.value.requests.length > 0 && (
          <ul className={css.rows} data-part="data-requests">
            {loaded.value.requests.map((request) => (
              <Row key={request.id} request={request} />
            ))}
          </ul>
        )}
        {loaded.state === 'ready' && loaded.value.hasMore && (
          <Button variant="minimal" text={t('more')} loading={act.pending} onClick={() => void act(() => showMore())()} />
        )}
      </DialogBody>
      <DialogFooter actions={<Button text={tUi('close')} onClick={onClose} />} />
    </Dialog>
  )
}

function Row({ request }: { request: DataRequestRow }) {
  const t = useWords(dataRequestWords)
  const { contactId, contactName, kind, state, done, total, user, requestedAt } = request
  const progress = state === 'running' && total > 0 && ` · ${t('runningTickets', { done, all: total })}`
  return (
    <li className={css.row}>
      <div className={css.what}>
        <span>
          <b>{t(kind === 'erasure' ? 'erasure' : 'exporting')}</b> · <ContactName name={contactName} />{' '}
          <span className={`${css.quiet} nums`}>#{contactId}</span>
        </span>
        <small>
          <Time at={requestedAt} as="moment" /> {user && `· ${t('by', { user: user.name })}`}
        </small>
        {state === 'done' && <Until request={request} />}
      </div>
      <div className={css.side}>
        <span data-state={state} role="status">
          {t(`state${state}`)}
          {progress}
        </span>
        <ResultButton request={request} small />
      </div>
    </li>
  )
}
