import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import css from './Status.module.css'
import { statusWords } from './words.ts'

type Of = { of: TicketRow['status']; closeReason?: TicketRow['closeReason']; className?: string | undefined }
/** A ticket that was closed without being served is not called resolved. */
export function Status({ of, closeReason, className = '' }: Of) {
  const t = useWords(statusWords)
  return (
    <span className={`${css.status} ${className}`} data-status={of}>
      {t(of === 'closed' && closeReason === 'ignored' ? 'ignored' : of)}
    </span>
  )
}
