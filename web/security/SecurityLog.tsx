import { Button } from '@blueprintjs/core'
import { Shield } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type SecurityRow, securityKinds } from '#domain/security/contract.ts'
import type { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { FilterBar } from '#web/ui/FilterBar.tsx'
import { Head } from '#web/ui/Head.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import table from '#web/ui/Table.module.css'
import { Table } from '#web/ui/Table.tsx'
import { Time } from '#web/ui/Time.tsx'
import { uiWords } from '#web/ui/words.ts'
import { chainAtom, filterAtom, isKind, listAtom, nothing, search } from './atoms.ts'
import { Detail } from './Detail.tsx'
import css from './SecurityLog.module.css'
import { kindWords, securityWords } from './words.ts'

/** Shows sign-ins, refused sign-ins, and changes of rights (A-AUTH-13). */
export function SecurityLog() {
  const t = useWords(securityWords)
  const tUi = useWords(uiWords)
  const tKind = useWords(kindWords)
  const [text, setText] = useAtom(search.text)
  const find = useSetAtom(search.settled)
  const [filter, setFilter] = useAtom(filterAtom)
  const list = useAtomValue(listAtom)
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const narrowed = text !== '' || filter.kind !== '' || filter.from !== '' || filter.to !== '' || filter.near !== null
  const clear = () => {
    find('')
    setFilter(nothing)
  }
  return (
    <>
      <Head title={t('title')} lead={t('lead')} search={text} onSearch={setText} />
      <FilterBar
        from={filter.from || undefined}
        to={filter.to || undefined}
        onChoose={({ from = '', to = '' }) => setFilter({ ...filter, from, to })}
        onClear={narrowed && clear}
      >
        <HTMLSelect
          aria-label={t('kind')}
          value={filter.kind}
          onChange={({ target }) => setFilter({ ...filter, kind: isKind(target.value) ? target.value : '' })}
        >
          <option value="">{t('all')}</option>
          {securityKinds.map((one) => (
            <option key={one} value={one}>
              {tKind(one)}
            </option>
          ))}
        </HTMLSelect>
      </FilterBar>
      <Chain />
      {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
      {state === 'loading' && <Skeleton rows={10} height={40} />}
      {state === 'ready' && ids.length === 0 && (
        <Empty
          icon={<Shield size={20} />}
          title={t(narrowed ? 'noneFiltered' : 'noneYet')}
          {...(narrowed && { action: <Button text={tUi('clearFilters')} onClick={clear} /> })}
        />
      )}
      {ids.length > 0 && (
        <Table
          list={list}
          label={t('title')}
          columns={[
            { title: t('number'), cell: ({ n }) => <span className={`${table.muted} nums`}>{n}</span>, num: true, wide: true },
            { title: t('kind'), cell: (row) => <What row={row} /> },
            { title: t('who'), cell: (row) => <Who row={row} />, wide: true },
            { title: t('detail'), cell: (row) => <Detail row={row} />, wide: true, whole: true },
            { title: t('address'), cell: ({ address }) => <span className={`${table.muted} nums`}>{address ?? ''}</span>, wide: true },
            { title: t('at'), cell: ({ at }) => <Time at={at} as="moment" className={`${table.muted} ${css.when}`} />, num: true },
          ]}
        />
      )}
    </>
  )
}

function Chain() {
  const chain = useAtomValue(chainAtom)
  if (chain.state !== 'ready') return null
  return (
    <>
      <Found of={chain.value} />
      {chain.value.platform && <Found of={chain.value.platform} platform />}
    </>
  )
}

type Checked = Pick<Awaited<ReturnType<typeof api.security.check>>, 'holds' | 'events' | 'brokenAt'>
function Found({ of: { holds, events, brokenAt }, platform }: { of: Checked; platform?: true }) {
  const t = useWords(securityWords)
  const setFilter = useSetAtom(filterAtom)
  const find = useSetAtom(search.settled)
  const whose = platform && <strong>{t('platform')}: </strong>
  if (holds)
    return events === 0 ? null : (
      <p className={css.chain}>
        {whose}
        {t('holds', { n: events })}
      </p>
    )
  const near = brokenAt ?? 0
  return (
    <p className={`${css.chain} ${css.chainBroken}`} role="alert">
      {whose}
      {t('broken', { record: near })}{' '}
      <Button
        size="small"
        text={t('toBreak')}
        onClick={() => {
          find('')
          setFilter({ ...nothing, near })
        }}
      />
    </p>
  )
}

const Who = ({ row: { user, companyId } }: { row: SecurityRow }) => {
  const t = useWords(securityWords)
  return user?.name ?? (companyId === 0 ? t('platform') : null)
}

/** The event. Without room for columns it also shows actor, details, number and address. */
function What({ row }: { row: SecurityRow }) {
  const tKind = useWords(kindWords)
  return (
    <div className={css.what}>
      {tKind(row.kind)}
      <div className={css.more}>
        <strong>
          <Who row={row} />
        </strong>
        <Detail row={row} />
        <span className="nums">
          {row.n}
          {row.address && ` · ${row.address}`}
        </span>
      </div>
    </div>
  )
}
