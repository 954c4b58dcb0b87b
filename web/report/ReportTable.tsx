import { Button } from '@blueprintjs/core'
import { CaretDown, CaretUp, Filter, History } from '@blueprintjs/icons'
import { useSetAtom } from 'jotai'
import type { KeyboardEvent, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Sortable, TicketReportRow } from '#domain/report/contract.ts'
import { ContactName } from '#web/contact/ContactName.tsx'
import { useWords } from '#web/i18n.ts'
import { dialogAtom } from '#web/ticket/atoms.ts'
import { Chip } from '#web/ui/Chip.tsx'
import table from '#web/ui/Table.module.css'
import { Time } from '#web/ui/Time.tsx'
import type { ReportView } from './filter.ts'
import css from './Report.module.css'
import { reportWords } from './words.ts'

type Word = keyof typeof reportWords
/** `cut`: at most as wide as a usual name; `rest`: as wide as what is left. `roomy`: hidden on middle widths, shown in a card. */
type Column = {
  title: Word
  sort?: Sortable
  cell: (row: TicketReportRow) => ReactNode
  num?: true
  room?: 'cut' | 'rest'
  roomy?: true
}
type Change = (to: Partial<ReportView>) => void

/** Minutes as hours and minutes, without days: 29:15. */
const hours = (minutes: number) => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
/** What was not measured (A-COUNT-13). */
const dash = '–'

function useColumns(): Column[] {
  const t = useWords(reportWords)
  const removed = (name: string, isRemoved: boolean) => (isRemoved ? t('removed', { name }) : name)
  return [
    { title: 'contactName', sort: 'contactName', cell: (row) => <Whose row={row} /> },
    { title: 'status', sort: 'status', cell: (row) => <Status row={row} /> },
    {
      title: 'queueName',
      sort: 'queueName',
      cell: ({ queueId, queueName, queueColor, queueRemoved }) =>
        queueId === null ? dash : <Chip name={removed(queueName ?? `#${queueId}`, queueRemoved)} color={queueColor ?? 'var(--text-3)'} />,
    },
    {
      title: 'userName',
      room: 'cut',
      sort: 'userName',
      cell: ({ userId, userName, userRemoved }) => (userId === null ? dash : removed(userName ?? `#${userId}`, userRemoved)),
    },
    {
      title: 'whatsappName',
      ...{ sort: 'whatsappName', room: 'cut', roomy: true },
      cell: ({ whatsappName }) => whatsappName ?? t('removedConnection'),
    },
    { title: 'lastMessage', room: 'rest', roomy: true, cell: ({ lastMessage }) => <bdi>{lastMessage || dash}</bdi> },
    { title: 'createdAt', sort: 'createdAt', cell: ({ createdAt }) => <Time at={createdAt} as="moment" />, num: true },
    { title: 'closedAt', sort: 'closedAt', cell: ({ closedAt }) => (closedAt ? <Time at={closedAt} as="moment" /> : dash), num: true },
    { title: 'supportTime', sort: 'supportTime', cell: (row) => (row.supportTime === null ? dash : hours(row.supportTime)), num: true },
    { title: 'NPS', sort: 'NPS', cell: ({ NPS }) => NPS ?? dash, num: true },
  ]
}

/** The rows of a page. A head sorts all pages; a row opens its ticket. On a narrow screen, each row is a card. */
export function ReportTable({ rows, view, onChange }: { rows: TicketReportRow[]; view: ReportView; onChange: Change }) {
  const t = useWords(reportWords)
  const columns = useColumns()
  return (
    <div className={table.room}>
      <table className={`${table.table} ${css.table}`} data-part="table" aria-label={t('title')} onKeyDown={walk}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} column={column} view={view} onChange={onChange} />
            ))}
            <th scope="col" className={table.actions}>
              <span className="hidden-but-read">{t('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} columns={columns} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Heading({ column: { title, sort, num, roomy }, view, onChange }: { column: Column; view: ReportView; onChange: Change }) {
  const t = useWords(reportWords)
  if (!sort)
    return (
      <th scope="col" className={placeOf({ num, roomy })}>
        {t(title)}
      </th>
    )
  const isSorted = view.sort === sort
  const isUp = view.direction === 'asc'
  return (
    <th scope="col" className={placeOf({ num, roomy })} {...(isSorted && { 'aria-sort': isUp ? 'ascending' : 'descending' })}>
      <button
        type="button"
        className={css.sort}
        onClick={() => onChange({ sort, direction: isSorted && !isUp ? 'asc' : isSorted ? 'desc' : firstWay(sort) })}
      >
        {t(title)}
        {isSorted && (isUp ? <CaretUp size={12} /> : <CaretDown size={12} />)}
      </button>
    </th>
  )
}
const placeOf = ({ num, roomy }: { num: true | undefined; roomy: true | undefined }) =>
  [num && table.num, roomy && css.roomy].filter(Boolean).join(' ') || undefined
/** Names begin with A, times and numbers with the largest. */
const firstWay = (sort: Sortable): 'asc' | 'desc' => (/Name$|^status$/.test(sort) ? 'asc' : 'desc')

function Row({ row, columns, onChange }: { row: TicketReportRow; columns: Column[]; onChange: Change }) {
  const t = useWords(reportWords)
  const [, go] = useLocation()
  const setDialog = useSetAtom(dialogAtom)
  const { id, uuid, revision, contactId } = row
  const name = row.contactName || t('noName')
  const open = () => go(`/tickets/${uuid}`, { state: { from: '/reports' } })
  const handleKeyDown = ({ key, target, currentTarget }: KeyboardEvent<HTMLElement>) => {
    if (target === currentTarget && key === 'Enter') open()
  }
  return (
    <tr tabIndex={0} className={table.opens} onClick={open} onKeyDown={handleKeyDown}>
      {columns.map(({ title, cell, num, roomy, room }) => (
        <td
          key={title}
          className={placeOf({ num, roomy })}
          data-label={t(title)}
          data-cut={room === 'cut' || undefined}
          data-rest={room === 'rest' || undefined}
        >
          {cell(row)}
        </td>
      ))}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click on a button from opening the row */}
      <td className={table.actions} onClick={(event) => event.stopPropagation()}>
        <Button
          variant="minimal"
          icon={<History />}
          aria-label={t('log', { id: `${id}` })}
          title={t('log', { id: `${id}` })}
          onClick={() => setDialog({ kind: 'log', ticket: { id, revision, contact: { name } } })}
        />
        <Button
          variant="minimal"
          icon={<Filter />}
          aria-label={t('onlyContact', { name })}
          title={t('onlyContact', { name })}
          onClick={() => onChange({ contactId })}
        />
      </td>
    </tr>
  )
}

/** The contact with the number of the ticket, and the tickets before and after a transfer. */
function Whose({ row: { id, contactName, predecessor, successor } }: { row: TicketReportRow }) {
  const t = useWords(reportWords)
  const links = [
    { word: t('predecessor'), ticket: predecessor },
    { word: t('successor'), ticket: successor },
  ]
  return (
    <div className={css.whose}>
      <ContactName name={contactName} /> <span className={`${table.muted} nums`}>#{id}</span>
      {links.map(
        ({ word, ticket }) =>
          ticket && (
            <Link key={word} href={`/tickets/${ticket.uuid}`} className={css.link} onClick={(event) => event.stopPropagation()}>
              {word} {ticket.id}
            </Link>
          ),
      )}
    </div>
  )
}

function Status({ row: { status, reopenedAt } }: { row: TicketReportRow }) {
  const t = useWords(reportWords)
  return (
    <span className={css.status} data-status={status} title={reopenedAt ? t('reopened') : undefined}>
      {t(status)}
      {reopenedAt && ' ↻'}
    </span>
  )
}

function walk(event: KeyboardEvent): void {
  const row = (event.target as HTMLElement).closest('tr')
  const to = event.key === 'ArrowDown' ? row?.nextElementSibling : event.key === 'ArrowUp' ? row?.previousElementSibling : null
  if (!(to instanceof HTMLElement)) return
  event.preventDefault()
  to.focus()
}
