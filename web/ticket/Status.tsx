import type { TicketRow } from '#domain/ticket/contract.ts'
import { useWords } from '#web/i18n.ts'
import css from './Status.module.css'
import { statusWords } from './words.ts'

export const Status = ({ of, className = '' }: { of: TicketRow['status']; className?: string | undefined }) => (
  <span className={`${css.status} ${className}`} data-status={of}>
    {useWords(statusWords)(of)}
  </span>
)
