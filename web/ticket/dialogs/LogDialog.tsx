import { DialogBody } from '@blueprintjs/core'
import { useAtomValue, useSetAtom } from 'jotai'
import type { TicketLogRow } from '#domain/ticket-log/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { sentence } from '#web/message/thread/LogLine.tsx'
import { logWords } from '#web/ticket/dialogs/words.ts'
import { ticketWords } from '#web/ticket/words.ts'
import dialog from '#web/ui/Dialog.module.css'
import { Dialog } from '#web/ui/Dialog.tsx'
import { createLruCache } from '#web/ui/lru-cache.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { DialogProps } from './dialog.ts'
import css from './LogDialog.module.css'

/** Start of the turn that a rotation ended; null if no agent had the turn. */
function turnBefore(rows: TicketLogRow[]): string | null {
  const last = rows.findLast(({ type }) => type !== 'access' && type !== 'amount' && type !== 'lane')
  return last?.type === 'queue' && last.user && last.way ? last.createdAt : null
}

/** The log as of an event of the ticket. */
const logAt = createLruCache(({ ticketId }: { ticketId: number; revision: number }) =>
  createRemoteAtom(() => api.ticketLogs.list({ params: { ticketId } })),
)

export function LogDialog({ of: { ticket }, onClose }: DialogProps<'log'>) {
  const t = useWords(logWords)
  const tTicket = useWords(ticketWords)
  const log = logAt({ ticketId: ticket.id, revision: ticket.revision })
  const loaded = useAtomValue(log)
  const reload = useSetAtom(log.reload)
  const rows = loaded.state === 'ready' ? loaded.value : []
  return (
    <Dialog isOpen title={`${tTicket('log')} · ${ticket.contact.name} #${ticket.id}`} onClose={onClose}>
      <DialogBody tabIndex={0} role="region" aria-label={tTicket('log')}>
        {loaded.state === 'failed' && <ErrorView error={loaded.error} onRetry={() => void reload()} />}
        {loaded.state === 'loading' && <Skeleton rows={4} height={28} />}
        {loaded.state === 'ready' && rows.length === 0 && <p className={dialog.text}>{t('none')}</p>}
        <ol className={css.log}>
          {rows.map((row, n) => (
            <li key={row.id} data-type={row.type}>
              <span>
                {sentence(row, t, turnBefore(rows.slice(0, n)))}
                {row.note && <q className={css.note}>{row.note}</q>}
              </span>
              <span className={css.when}>
                <Time at={row.createdAt} as="date" /> <Time at={row.createdAt} as="clock" />
              </span>
            </li>
          ))}
        </ol>
      </DialogBody>
    </Dialog>
  )
}
