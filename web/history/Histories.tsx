import { History } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useLocation } from 'wouter'
import { type TicketRow, ticketTopic } from '#domain/ticket/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { statusWords } from '#web/ticket/words.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Head } from '#web/ui/Head.tsx'
import { resourceList } from '#web/ui/resourceList.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Table } from '#web/ui/Table.tsx'
import { Time } from '#web/ui/Time.tsx'
import { uiWords } from '#web/ui/words.ts'
import { historyWords } from './words.ts'

/* Found anew with each search: an auditor reads what happened, in whosever sight it is, and no list of theirs moves meanwhile. */
const found = resourceList<TicketRow>({ topic: { ...ticketTopic, name: 'ticket-history' }, search: [] }, async (query) => {
  const { tickets, hasMore } = await api.history.list({ query })
  return { rows: tickets, hasMore }
})

/** Where an auditor begins: every ticket of the company. */
export function Histories() {
  const say = useWords(historyWords)
  const ui = useWords(uiWords)
  const status = useWords(statusWords)
  const [, go] = useLocation()
  const [text, type] = useAtom(found.search.text)
  const wanted = useAtomValue(found.search.settled)
  const list = found.lists(wanted)
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  return (
    <>
      <Head title={say('audit')} search={text} onSearch={type} />
      {state === 'failed' && <ErrorView error={error} retry={reload} />}
      {state === 'loading' && <Skeleton rows={10} height={40} />}
      {state === 'ready' && ids.length === 0 && (
        <Empty icon={<History size={20} />} title={wanted ? ui('noneFound', { search: wanted }) : say('noneYet')} />
      )}
      {ids.length > 0 && (
        <Table
          list={list}
          label={say('audit')}
          onOpen={({ uuid }) => go(`/tickets/${uuid}/history`)}
          columns={[
            { title: say('contact'), cell: ({ contact }) => contact.name },
            { title: say('ticket'), cell: ({ id }) => <span className="cell-muted nums">#{id}</span>, num: true, wide: true },
            { title: say('status'), cell: (row) => status(row.status) },
            { title: say('queue'), cell: ({ queue }) => queue && <Chip name={queue.name} color={queue.color} />, wide: true },
            { title: say('owner'), cell: ({ user }) => user?.name ?? '', wide: true },
            { title: say('changed'), cell: ({ updatedAt }) => <Time at={updatedAt} className="cell-muted" />, num: true },
          ]}
        />
      )}
    </>
  )
}
