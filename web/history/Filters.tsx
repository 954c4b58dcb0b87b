import { useAtom, useAtomValue } from 'jotai'
import type { HistoryRow } from '#domain/history/contract.ts'
import { useWords } from '#web/i18n.ts'
import { FilterBar } from '#web/ui/FilterBar.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { RemovableTag } from '#web/ui/RemovableTag.tsx'
import { everyHistory, everyPerson, everyQueue, historyContactAtom, historyFilterAtom } from './atoms.ts'
import { historyWords } from './words.ts'

const chains = ['intact', 'broken', 'unchecked'] as const
const statuses: HistoryRow['status'][] = ['pending', 'open', 'group', 'lgpd', 'nps', 'closed', 'deleted']

export function Filters() {
  const t = useWords(historyWords)
  const [filter, setFilter] = useAtom(historyFilterAtom)
  const people = useAtomValue(everyPerson)
  const queues = useAtomValue(everyQueue)
  const contact = useAtomValue(historyContactAtom)
  const named = (rows: { id: number; name: string }[]) => rows.map(({ id, name }) => ({ value: id, label: name }))
  const labelledQueue = (queue: { id: number; name: string; retired: boolean }) =>
    queue.retired ? { ...queue, name: t('retired', { name: queue.name }) } : queue
  const labelledPerson = (person: { id: number; name: string; retired: boolean }) =>
    person.retired ? { ...person, name: t('left', { name: person.name }) } : person
  const id = (value: string) => (value === '' ? undefined : Number(value))
  const chosen = Object.values(filter).some((value) => value !== undefined)
  return (
    <FilterBar
      from={filter.from}
      to={filter.to}
      onChoose={(days) => setFilter({ ...filter, ...days })}
      onClear={chosen && (() => setFilter(everyHistory))}
    >
      <HTMLSelect
        aria-label={t('agent')}
        value={filter.userId ?? ''}
        options={[{ value: '', label: t('anyAgent') }, ...(people.state === 'ready' ? named(people.value.map(labelledPerson)) : [])]}
        onChange={({ currentTarget }) => setFilter({ ...filter, userId: id(currentTarget.value) })}
      />
      <HTMLSelect
        aria-label={t('queue')}
        value={filter.queueId ?? ''}
        options={[{ value: '', label: t('anyQueue') }, ...(queues.state === 'ready' ? named(queues.value.map(labelledQueue)) : [])]}
        onChange={({ currentTarget }) => setFilter({ ...filter, queueId: id(currentTarget.value) })}
      />
      <HTMLSelect
        aria-label={t('status')}
        value={filter.status ?? ''}
        options={[{ value: '', label: t('anyStatus') }, ...statuses.map((one) => ({ value: one, label: t(one) }))]}
        onChange={({ currentTarget }) => setFilter({ ...filter, status: statuses.find((one) => one === currentTarget.value) })}
      />
      <HTMLSelect
        aria-label={t('chain')}
        value={filter.chain ?? ''}
        options={[{ value: '', label: t('anyChain') }, ...chains.map((one) => ({ value: one, label: t(one) }))]}
        onChange={({ currentTarget }) => setFilter({ ...filter, chain: chains.find((one) => one === currentTarget.value) })}
      />
      {filter.contactId !== undefined && (
        <RemovableTag onRemove={() => setFilter({ ...filter, contactId: undefined })}>
          {t('contact')}: <bdi>{contact || `#${filter.contactId}`}</bdi>
        </RemovableTag>
      )}
    </FilterBar>
  )
}
