import { FormGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { useController } from 'react-hook-form'
import { type Period, periods, ReportFilterBody, type ReportFilterRow, type SavedFilter } from '#domain/report-filter/contract.ts'
import { api } from '#web/api.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { FormDialog } from '#web/ui/FormDialog.tsx'
import { useLabel } from '#web/ui/fieldLabels.ts'
import { SwitchField, TextField } from '#web/ui/fields.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { calendarDay } from '#web/ui/moment.ts'
import { withPeriod } from './saved.ts'
import { reportFilterWords } from './words.ts'

/** Names a new filter, or edits a saved one. */
export function FilterForm({
  filter,
  row,
  onSaved,
  onClose,
}: {
  filter: SavedFilter
  row?: ReportFilterRow
  onSaved: () => unknown
  onClose: () => void
}) {
  const t = useWords(reportFilterWords)
  const { name = '', shared = false } = row ?? {}
  return (
    <FormDialog
      title={t(row ? 'editTitle' : 'saveTitle')}
      body={ReportFilterBody}
      start={{ name, shared, filter }}
      beside={{ ERR_DUPLICATED_NAME: 'name' }}
      edits={row && { version: row.version, reread: () => api.reportFilters.find({ params: { id: row.id } }) }}
      onSubmit={async (body, change) => {
        if (row) {
          const own = change.filter && { filter: withPeriod(change.filter) }
          await api.reportFilters.update({ params: { id: row.id }, body: { ...change, ...own } })
        } else await api.reportFilters.create({ body: { ...body, filter: withPeriod(body.filter) } })
        await onSaved()
      }}
      onClose={onClose}
    >
      <TextField name="name" label={t('name')} autoFocus />
      <PeriodField />
      <SwitchField name="shared" label={t('shared')} hint={t('sharedHint')} />
    </FormDialog>
  )
}

/** The period of the filter. Fixed days are offered if the filter has some. */
function PeriodField() {
  const t = useWords(reportFilterWords)
  const language = useLanguage()
  const id = useId()
  useLabel('filter', t('period'))
  const { field } = useController<{ filter: SavedFilter }, 'filter'>({ name: 'filter' })
  const { dateFrom, dateTo, period } = field.value
  const day = (text: string | undefined) => (text ? calendarDay(text, language) : '…')
  const offered = periods.filter((one) => one !== 'days' || period === 'days' || dateFrom || dateTo)
  return (
    <FormGroup label={t('period')} labelFor={id} helperText={t('periodHint')}>
      <HTMLSelect
        id={id}
        fill
        value={period}
        options={offered.map((value) => ({ value, label: t(value, { from: day(dateFrom), to: day(dateTo) }) }))}
        onChange={({ currentTarget }) => field.onChange({ ...field.value, period: currentTarget.value as Period })}
        onBlur={field.onBlur}
      />
    </FormGroup>
  )
}
