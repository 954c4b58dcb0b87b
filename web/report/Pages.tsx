import { Button } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { type Listed, pageSizes, sortable } from '#domain/report/contract.ts'
import { useWords } from '#web/i18n.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import type { ReportView } from './filter.ts'
import css from './Report.module.css'
import { reportWords } from './words.ts'

/** The number of rows, the page, and on a narrow screen the order, because cards have no heads. */
export function Pages({
  view,
  total,
  since,
  onChange,
}: {
  view: ReportView
  total: number
  since: Listed['since']
  onChange: (to: Partial<ReportView>) => void
}) {
  const t = useWords(reportWords)
  const { page, pageSize } = view
  const { reopened = 0, deleted = 0 } = since ?? {}
  const notes = [reopened > 0 && t('reopenedSince', { n: reopened }), deleted > 0 && t('deletedSince', { n: deleted })].filter(
    (one) => one !== false,
  )
  const pages = Math.max(1, Math.ceil(total / pageSize))
  return (
    <nav className={css.pages} aria-label={t('page', { page: String(page), pages: String(pages) })}>
      <span className="nums" data-part="report-total">
        {[t('total', { n: total }), ...notes].join(' · ')}
      </span>
      <label className={css.narrow} htmlFor="report-sort">
        <span>{t('sortBy')}</span>
        <HTMLSelect
          id="report-sort"
          value={view.sort}
          options={sortable.map((value) => ({ value, label: t(value) }))}
          onChange={({ currentTarget: { value } }) => onChange({ sort: sortable.find((one) => one === value)! })}
        />
      </label>
      <label htmlFor="report-page-size">
        <span>{t('perPage')}</span>
        <HTMLSelect
          id="report-page-size"
          value={pageSize}
          options={pageSizes.map((size) => ({ value: size, label: String(size) }))}
          onChange={({ currentTarget }) => onChange({ pageSize: Number(currentTarget.value) })}
        />
      </label>
      <span className={css.turn}>
        <Button
          variant="minimal"
          icon={<ChevronLeft />}
          aria-label={t('before')}
          disabled={page <= 1}
          onClick={() => onChange({ page: Math.min(page - 1, pages) })}
        />
        <span className="nums" aria-live="polite">
          {t('page', { page: String(page), pages: String(pages) })}
        </span>
        <Button
          variant="minimal"
          icon={<ChevronRight />}
          aria-label={t('after')}
          disabled={page >= pages}
          onClick={() => onChange({ page: page + 1 })}
        />
      </span>
    </nav>
  )
}
