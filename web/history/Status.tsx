import type { HistoryRow } from '#domain/history/contract.ts'
import { useWords } from '#web/i18n.ts'
import css from './Status.module.css'
import { historyWords } from './words.ts'

export const Status = ({ of }: { of: HistoryRow['status'] | 'absent' }) => (
  <span className={css.status} data-status={of}>
    {useWords(historyWords)(of)}
  </span>
)
