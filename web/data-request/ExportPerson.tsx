import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useState } from 'react'
import type { ContactRow } from '#domain/contact/contract.ts'
import { type DataRequestRow, exportDays } from '#domain/data-request/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './DataRequest.module.css'
import { RequestProgress } from './RequestProgress.tsx'
import { dataRequestWords } from './words.ts'

/** Collects everything about a person in one file (A-ERASE-07). */
export function ExportPerson({ contact: { id, name }, onClose }: { contact: Pick<ContactRow, 'id' | 'name'>; onClose: () => void }) {
  const t = useWords(dataRequestWords)
  const tUi = useWords(uiWords)
  const act = useAsyncAction()
  const [started, setStarted] = useState<DataRequestRow | null>(null)
  useReturnFocus()
  const start = act(async () => setStarted(await api.dataRequests.export({ params: { id } })))
  return (
    <Dialog isOpen title={t('exportTitle', { name })} onClose={onClose}>
      <DialogBody>
        {started ? (
          <RequestProgress started={started} />
        ) : (
          <div className={css.body}>
            <p>{t('exportText')}</p>
            <p className={css.quiet}>{t('exportKept', { days: exportDays })}</p>
          </div>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          started ? (
            <Button text={tUi('close')} onClick={onClose} />
          ) : (
            <>
              <Button text={tUi('cancel')} onClick={onClose} />
              <Button autoFocus intent="primary" text={t('exportVerb')} loading={act.pending} onClick={() => void start()} />
            </>
          )
        }
      />
    </Dialog>
  )
}
