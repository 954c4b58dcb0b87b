import { Button } from '@blueprintjs/core'
import { Filter } from '@blueprintjs/icons'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { messageKinds } from '#domain/message-search/rules.ts'
import { apart } from '#web/connection/apart.ts'
import { useWords } from '#web/i18n.ts'
import { ChoiceFilter } from '#web/report/ChoiceFilter.tsx'
import { useViewer } from '#web/session.ts'
import { connectionChoices, queueChoices, tagChoices, userChoices } from '#web/ticket/choices.ts'
import { everything, queuesInSight } from '#web/ticket/list/wanted.ts'
import { onePaneAtom } from '#web/ui/breakpoints.ts'
import { FilterBar } from '#web/ui/FilterBar.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { uiWords } from '#web/ui/words.ts'
import { emptyView, filtersIn, type SearchView } from './address.ts'
import css from './SearchFilters.module.css'
import { searchWords } from './words.ts'

type Named = { id: number; name: string; color?: string | null }
const choicesOf = (rows: readonly Named[]) => rows.map(({ id, name, color }) => ({ value: id, name, color: color ?? null }))

type Of = { view: SearchView; onChange: (to: Partial<SearchView>) => void }

/** The filters of the search; a narrow screen shows them on request. */
export function SearchFilters(of: Of) {
  const t = useWords(searchWords)
  const tUi = useWords(uiWords)
  const isNarrow = useAtomValue(onePaneAtom)
  const [open, setOpen] = useState(false)
  const n = filtersIn(of.view)
  if (!isNarrow) return <Filters {...of} />
  return (
    <>
      <div className={css.toggle}>
        <Button
          icon={<Filter />}
          active={n > 0}
          aria-expanded={open}
          text={n === 0 ? tUi('filters') : n === 1 ? t('withFiltersOne') : t('withFilters', { n })}
          onClick={() => setOpen(!open)}
        />
      </div>
      {open && <Filters {...of} />}
    </>
  )
}

/** A choice applies at once. */
function Filters({ view, onChange }: Of) {
  const t = useWords(searchWords)
  const viewer = useViewer()
  const queues = queuesInSight(viewer, { ...everything, queueIds: view.queues }, useAtomValue(queueChoices.all))
  const users = useAtomValue(userChoices.all)
  const tags = useAtomValue(tagChoices.all)
  const connections = apart(useAtomValue(connectionChoices.all))
  const clear = () => onChange({ ...emptyView, q: view.q })
  return (
    <FilterBar from={view.from} to={view.to} onChoose={onChange} onClear={filtersIn(view) > 0 && clear}>
      <HTMLSelect
        aria-label={t('sender')}
        value={view.sender}
        onChange={({ currentTarget: { value } }) => onChange({ sender: value })}
        options={[
          { value: '', label: t('anySender') },
          { value: 'customer', label: t('customer') },
          { value: 'us', label: t('us') },
          ...users.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
      <HTMLSelect
        aria-label={t('kind')}
        value={view.kind}
        onChange={({ currentTarget: { value } }) => onChange({ kind: messageKinds.find((kind) => kind === value) ?? '' })}
        options={[{ value: '', label: t('anyKind') }, ...messageKinds.map((kind) => ({ value: kind, label: t(kind) }))]}
      />
      <ChoiceFilter name={t('queues')} choices={choicesOf(queues)} chosen={view.queues} onChoose={(ids) => onChange({ queues: ids })} />
      <ChoiceFilter name={t('agents')} choices={choicesOf(users)} chosen={view.agents} onChoose={(ids) => onChange({ agents: ids })} />
      <ChoiceFilter name={t('tags')} choices={choicesOf(tags)} chosen={view.tags} onChoose={(ids) => onChange({ tags: ids })} />
      <ChoiceFilter
        name={t('connections')}
        choices={choicesOf(connections)}
        chosen={view.connections}
        onChoose={(ids) => onChange({ connections: ids })}
      />
    </FilterBar>
  )
}
