import { DialogBody, DialogFooter } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import type { HistoryEvent } from '#domain/history/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { useReturnFocus } from '#web/ui/returnFocus.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Copy } from './Copy.tsx'
import { linkTo } from './playback.ts'
import type { LoadedHistory } from './records.ts'
import css from './Stored.module.css'
import { historyWords } from './words.ts'

/** One stored record, encrypted and with its hash. It can be copied or linked to. */
export function Stored({ event, ticketHistory, onClose }: { event: HistoryEvent; ticketHistory: LoadedHistory; onClose: () => void }) {
  const t = useWords(historyWords)
  useReturnFocus()
  const { uuid } = ticketHistory.ticket
  const [record] = useState(() => createRemoteAtom(() => api.history.record({ params: { uuid, revision: String(event.revision) } })))
  const now = useAtomValue(record)
  const again = useSetAtom(record.reload)
  const text = now.state === 'ready' ? JSON.stringify(now.value, null, 2) : ''
  return (
    <Dialog isOpen title={t('stored', { record: event.revision + 1 })} onClose={onClose} size="wide" className={css.stored!}>
      <DialogBody>
        {now.state === 'loading' && <Skeleton rows={6} height={16} />}
        {now.state === 'failed' && <ErrorView error={now.error} onRetry={again} />}
        {now.state === 'ready' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
          <pre tabIndex={0}>{text}</pre>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Copy text={`${location.origin}${linkTo(uuid, event.revision)}`} label={t('copyLink')} className="bp6-button">
              <span>{t('copyLink')}</span>
            </Copy>
            <Copy text={text} label={t('copyRecord')} className="bp6-button">
              <span>{t('copyRecord')}</span>
            </Copy>
          </>
        }
      />
    </Dialog>
  )
}
