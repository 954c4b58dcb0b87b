import { HTMLSelect, Tag } from '@blueprintjs/core'
import { useAtom, useAtomValue } from 'jotai'
import type { HistoryRow } from '#domain/history/contract.ts'
import { useWords } from '#web/i18n.ts'
import { FilterBar } from '#web/ui/FilterBar.tsx'
import { everyHistory, everyPerson, everyQueue, historyContactAtom, historyFilterAtom } from './atoms.ts'
import { historyWords } from './words.ts'

const chains = ['intact', 'broken', 'unchecked'] as const
const statuses: HistoryRow['status'][] = ['pending', 'open', 'group', 'lgpd', 'nps', 'closed', 'deleted']

export function Filters() {
  const say = useWords(historyWords)
  const [filter, narrow] = useAtom(historyFilterAtom)
  const people = useAtomValue(everyPerson)
  const queues = useAtomValue(everyQueue)
  const contact = useAtomValue(historyContactAtom)
  const named = (rows: { id: number; name: string }[]) => rows.map(({ id, name }) => ({ value: id, label: name }))
  const labelledQueue = (queue: { id: number; name: string; retired: boolean }) =>
    queue.retired ? { ...queue, name: say('retired', { name: queue.name }) } : queue
  const labelledPerson = (person: { id: number; name: string; retired: boolean }) =>
    person.retired ? { ...person, name: say('left', { name: person.name }) } : person
  const id = (value: string) => (value === '' ? undefined : Number(value))
  const chosen = Object.values(filter).some((value) => value !== undefined)
  return (
    <FilterBar
      from={filter.from}
      to={filter.to}
      choose={(days) => narrow({ ...filter, ...days })}
      clear={chosen && (() => narrow(everyHistory))}
    >
      <HTMLSelect
        aria-label={say('agent')}
        value={filter.userId ?? ''}
        options={[{ value: '', label: say('anyAgent') }, ...(people.state === 'ready' ? named(people.value.map(labelledPerson)) : [])]}
        onChange={({ currentTarget }) => narrow({ ...filter, userId: id(currentTarget.value) })}
      />
      <HTMLSelect
        aria-label={say('queue')}
        value={filter.queueId ?? ''}
        options={[{ value: '', label: say('anyQueue') }, ...(queues.state === 'ready' ? named(queues.value.map(labelledQueue)) : [])]}
        onChange={({ currentTarget }) => narrow({ ...filter, queueId: id(currentTarget.value) })}
      />
      <HTMLSelect
        aria-label={say('status')}
        value={filter.status ?? ''}
        options={[{ value: '', label: say('anyStatus') }, ...statuses.map((one) => ({ value: one, label: say(one) }))]}
        onChange={({ currentTarget }) => narrow({ ...filter, status: statuses.find((one) => one === currentTarget.value) })}
      />
      <HTMLSelect
        aria-label={say('chain')}
        value={filter.chain ?? ''}
        options={[{ value: '', label: say('anyChain') }, ...chains.map((one) => ({ value: one, label: say(one) }))]}
        onChange={({ currentTarget }) => narrow({ ...filter, chain: chains.find((one) => one === currentTarget.value) })}
      />
      {filter.contactId !== undefined && (
        <Tag onRemove={() => narrow({ ...filter, contactId: undefined })}>
          {say('contact')}: <bdi>{contact || `#${filter.contactId}`}</bdi>
        </Tag>
      )}
    </FilterBar>
  )
}
