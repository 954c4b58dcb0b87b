import { Checkbox } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { type ReportChoice, reportStatuses } from '#domain/report/contract.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { FilterBar } from '#web/ui/FilterBar.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { lastDayFrom, weekHourName } from '#web/ui/moment.ts'
import { RemovableTag } from '#web/ui/RemovableTag.tsx'
import { reportChoices } from './atoms.ts'
import { ChoiceFilter } from './ChoiceFilter.tsx'
import { ContactFilter } from './ContactFilter.tsx'
import { firstView, isNarrowed, type ReportView } from './filter.ts'
import { useOffered } from './limit.ts'
import css from './Report.module.css'
import { reportWords } from './words.ts'

/** The filters of the report; a choice applies at once and stays in the address. */
export function Filters({
  view,
  onChange,
  onClear,
}: {
  view: ReportView
  onChange: (to: Partial<ReportView>) => void
  onClear: () => void
}) {
  const t = useWords(reportWords)
  const language = useLanguage()
  const loaded = useAtomValue(reportChoices(null))
  const all = loaded.state === 'ready' ? loaded.value : { users: [], queues: [], connections: [], tags: [] }
  const named = useChoices(loaded.state === 'ready')
  const { isLimited } = useOffered()
  const { queueIds, users, whatsappId, tags, status } = view
  return (
    <FilterBar
      from={view.dateFrom}
      to={view.dateTo}
      isCounted
      onChoose={({ from = firstView().dateFrom, to = lastDayFrom(from) }) => onChange({ dateFrom: from, dateTo: to })}
      onClear={isNarrowed(view) && onClear}
    >
      <ChoiceFilter
        name={t('queues')}
        choices={named(all.queues, queueIds, isLimited ? undefined : t('noQueue'))}
        chosen={queueIds}
        onChoose={(ids) => onChange({ queueIds: ids })}
      />
      <ChoiceFilter
        name={t('users')}
        choices={named(all.users, users, t('noUser'))}
        chosen={users}
        onChoose={(ids) => onChange({ users: ids })}
      />
      <ChoiceFilter
        name={t('connections')}
        choices={named(all.connections, whatsappId)}
        chosen={whatsappId}
        onChoose={(ids) => onChange({ whatsappId: ids })}
      />
      <ChoiceFilter
        name={t('tags')}
        choices={named(all.tags, tags, t('noTag'))}
        chosen={tags}
        onChoose={(ids) => onChange({ tags: ids })}
      />
      <ChoiceFilter<string>
        name={t('status')}
        choices={reportStatuses.map((value) => ({ value, name: t(value) }))}
        chosen={status}
        onChoose={(values) => onChange({ status: values })}
      />
      <ContactFilter chosen={view.contactId} onChoose={(contactId) => onChange({ contactId })} />
      <Switches view={view} onChange={onChange} />
      {view.counted && <RemovableTag onRemove={() => onChange({ counted: false })}>{t('onlyCounted')}</RemovableTag>}
      {view.target && (
        <RemovableTag onRemove={() => onChange({ target: undefined })}>
          {t('target')}: {t(`target-${view.target}`)}
        </RemovableTag>
      )}
      {view.weekHour !== undefined && (
        <RemovableTag onRemove={() => onChange({ weekHour: undefined })}>{weekHourName(view.weekHour, language)}</RemovableTag>
      )}
      <HTMLSelect
        aria-label={t('dateField')}
        value={view.dateField}
        options={[
          { value: 'createdAt', label: t('byCreation') },
          { value: 'closedAt', label: t('byClosing') },
        ]}
        onChange={({ currentTarget }) => onChange({ dateField: currentTarget.value === 'closedAt' ? 'closedAt' : 'createdAt' })}
      />
    </FilterBar>
  )
}

function Switches({ view, onChange }: { view: ReportView; onChange: (to: Partial<ReportView>) => void }) {
  const t = useWords(reportWords)
  return (['onlyRated', 'imported', 'openHours'] as const).map((name) => (
    <Checkbox
      key={name}
      inline
      className={css.check!}
      label={t(name)}
      checked={view[name]}
      onChange={() => onChange({ [name]: !view[name] })}
    />
  ))
}

/** Everything to choose from, also what is chosen and unknown by now. `none`: the name of no value. */
function useChoices(isLoaded: boolean) {
  const t = useWords(reportWords)
  const { isLimited } = useOffered()
  return (rows: ReportChoice[], chosen: number[], none?: string) => {
    const known = rows.map(({ id, name, color, removed }) => ({ value: id, color, name: removed ? t('removed', { name }) : name }))
    const lost = chosen.filter((id) => id !== 0 && !rows.some((row) => row.id === id))
    const gone = isLoaded ? lost.map((id) => ({ value: id, name: isLimited ? `#${id}` : t('removed', { name: `#${id}` }) })) : []
    return [...(none && rows.length > 0 ? [{ value: 0, name: none }] : []), ...known, ...gone]
  }
}
