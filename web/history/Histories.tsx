import { Button } from '@blueprintjs/core'
import { Filter, History, Shield, WarningSign } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { useLocation } from 'wouter'
import type { HistoryRow } from '#domain/history/contract.ts'
import { NewestAnchor, PublicKey } from '#web/anchor/Anchored.tsx'
import { ContactName } from '#web/contact/ContactName.tsx'
import { useWords } from '#web/i18n.ts'
import { Chip } from '#web/ui/Chip.tsx'
import { Head } from '#web/ui/Head.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import table from '#web/ui/Table.module.css'
import { Table } from '#web/ui/Table.tsx'
import { Time } from '#web/ui/Time.tsx'
import { uiWords } from '#web/ui/words.ts'
import { everyHistory, historiesAtom, historyContactAtom, historyFilterAtom, historySearch, signingKey } from './atoms.ts'
import { Filters } from './Filters.tsx'
import css from './Histories.module.css'
import { Status } from './Status.tsx'
import { historyWords } from './words.ts'

/** The first screen of an auditor: every ticket of the company, deleted ones included. */
export function Histories() {
  const t = useWords(historyWords)
  const tUi = useWords(uiWords)
  const [, go] = useLocation()
  const [text, setText] = useAtom(historySearch.text)
  const wanted = useAtomValue(historySearch.settled)
  const [filter, setFilter] = useAtom(historyFilterAtom)
  const setHistoryContact = useSetAtom(historyContactAtom)
  const list = useAtomValue(historiesAtom)
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const narrowed = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <Head title={t('audit')} lead={<Signing />} search={text} onSearch={setText} hint={t('findBy')} />
      <Filters />
      {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
      {state === 'loading' && <Skeleton rows={10} height={40} />}
      {state === 'ready' && ids.length === 0 && (
        <Empty
          icon={<History size={20} />}
          title={narrowed ? t('noneMatch') : wanted ? tUi('noneFound', { search: wanted }) : t('noneYet')}
          action={narrowed && <Button text={tUi('clearFilters')} onClick={() => setFilter(everyHistory)} />}
        />
      )}
      {ids.length > 0 && (
        <Table
          list={list}
          label={t('audit')}
          onOpen={({ uuid }) => go(`/tickets/${uuid}/history`, { state: { from: '/history' } })}
          actions={({ contact: { id, name } }) => (
            <Button
              variant="minimal"
              icon={<Filter />}
              aria-label={t('onlyContact', { name: name || t('noName') })}
              title={t('onlyContact', { name: name || t('noName') })}
              onClick={() => {
                setHistoryContact(name || t('noName'))
                setFilter({ ...filter, contactId: id })
              }}
            />
          )}
          columns={[
            { title: t('contact'), cell: (row) => <Whose row={row} /> },
            {
              title: t('ticket'),
              cell: ({ id }) => <span className={`${table.muted} ${css.fits} nums`}>#{id}</span>,
              num: true,
              wide: true,
            },
            {
              title: t('status'),
              cell: ({ status }) => (
                <span className={css.fits}>
                  <Status of={status} />
                </span>
              ),
              wide: true,
            },
            {
              title: t('queue'),
              cell: ({ queue }) => queue && <Chip name={queue.name} color={queue.color} className={css.fits} />,
              wide: true,
            },
            { title: t('owner'), cell: ({ user }) => user && <span className={css.owner}>{user.name}</span>, wide: true },
            { title: t('records'), cell: ({ revision }) => revision + 1, num: true, roomy: true },
            { title: t('chain'), cell: ({ chain }) => <Chain of={chain} />, wide: true },
            { title: t('changed'), cell: ({ updatedAt }) => <Time at={updatedAt} className={table.muted} />, num: true },
          ]}
        />
      )}
    </>
  )
}

/** A narrow row shows number, status and chain below the name, because it has no columns. */
function Whose({ row: { id, contact, status, chain } }: { row: HistoryRow }) {
  return (
    <div className={css.whose}>
      <ContactName name={contact.name} />
      <div className={css.more}>
        <span className="nums">#{id}</span> <Status of={status} /> <Chain of={chain} />
      </div>
    </div>
  )
}

/** The last anchor of the company and its signing key. */
function Signing() {
  const key = useAtomValue(signingKey)
  if (key.state !== 'ready') return null
  return (
    <span className={css.lead} data-part="anchor-lead">
      <NewestAnchor of={key.value.newest} />
      <PublicKey of={key.value} />
    </span>
  )
}

/** The result and the time of the last verification. */
function Chain({ of }: { of: HistoryRow['chain'] }) {
  const t = useWords(historyWords)
  if (!of) return <span className={`${table.muted} ${css.fits}`}>{t('unchecked')}</span>
  return (
    <span className={`${css.chain} ${css.fits}`} data-broken={!of.holds || undefined}>
      {of.holds ? <Shield size={12} /> : <WarningSign size={12} />} {t(of.holds ? 'intact' : 'broken')}
      <span className={css.checked}>
        {' '}
        · <Time at={of.checkedAt} />
      </span>
    </span>
  )
}
