import { Button, Callout } from '@blueprintjs/core'
import { Edit, Filter as FilterIcon } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { Link, useSearchParams } from 'wouter'
import { type AuditedList, type AuditRow, auditedLists, isAudited } from '#domain/audit/contract.ts'
import { connections } from '#domain/connection/contract.ts'
import { contacts } from '#domain/contact/contract.ts'
import { fileLists } from '#domain/file-list/contract.ts'
import { queues } from '#domain/queue/contract.ts'
import { quickReplies } from '#domain/quick-reply/contract.ts'
import { reportFilters } from '#domain/report-filter/contract.ts'
import { settingCalls } from '#domain/setting/contract.ts'
import { tags } from '#domain/tag/contract.ts'
import { users } from '#domain/user/contract.ts'
import { everyPerson } from '#web/history/atoms.ts'
import { historyWords } from '#web/history/words.ts'
import { useWords } from '#web/i18n.ts'
import { nothing as everything, filterAtom as securityFilterAtom } from '#web/security/atoms.ts'
import { useMay } from '#web/session.ts'
import { FilterBar } from '#web/ui/FilterBar.tsx'
import { Head } from '#web/ui/Head.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { RemovableTag } from '#web/ui/RemovableTag.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import table from '#web/ui/Table.module.css'
import { Table } from '#web/ui/Table.tsx'
import { Time } from '#web/ui/Time.tsx'
import { uiWords } from '#web/ui/words.ts'
import { changesOf, type Filter, filterOf, ignoredOf } from './atoms.ts'
import css from './Changes.module.css'
import { Differences } from './Differences.tsx'
import { actWords, changeWords, listWords } from './words.ts'

/** Shows who changed which row of a list, when, and the values before and after. The filters are in the address. */
export function Changes() {
  const t = useWords(changeWords)
  const tUi = useWords(uiWords)
  const [query, ask] = useSearchParams()
  const filter = filterOf(query)
  const ignored = ignoredOf(query)
  const narrow: Narrow = (next) =>
    ask(
      Object.entries(next).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
      { replace: true, state: history.state },
    )
  const list = changesOf(JSON.stringify(filter))
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const setSecurityFilter = useSetAtom(securityFilterAtom)
  const narrowed = Object.keys(filter).length > 0
  const only = (row: AuditRow) => narrow({ ...filter, list: row.list, rowId: row.rowId })
  return (
    <>
      <Head title={t('title')} lead={t('lead')} />
      <Narrowing filter={filter} narrow={narrow} />
      <p className={css.elsewhere}>
        <Link href="/security-log" onClick={() => setSecurityFilter({ ...everything, kind: 'settingChanged' })} state={{ from: '/audit' }}>
          {t('settings')}
        </Link>
      </p>
      {ignored.length > 0 && (
        <Callout compact intent="warning" role="status">
          {t('ignored', { what: ignored.join(', ') })}
        </Callout>
      )}
      {state === 'failed' && <ErrorView error={error} onRetry={reload} />}
      {state === 'loading' && <Skeleton rows={10} height={40} />}
      {state === 'ready' && ids.length === 0 && (
        <Empty
          icon={<Edit size={20} />}
          title={t(narrowed ? 'noneMatch' : 'noneYet')}
          {...(narrowed && { action: <Button text={tUi('clearFilters')} onClick={() => narrow({})} /> })}
        />
      )}
      {ids.length > 0 && (
        <Table
          list={list}
          label={t('title')}
          columns={[
            { title: t('who'), cell: (row) => <Who row={row} />, wide: true },
            { title: t('row'), cell: (row) => <Which row={row} only={only} />, wide: true },
            {
              title: t('what'),
              cell: (row) => (
                <div className={css.cell}>
                  <div className={css.above}>
                    <Who row={row} />
                    <Which row={row} only={only} />
                  </div>
                  <Differences of={row} />
                </div>
              ),
              reads: true,
            },
            {
              title: t('when'),
              cell: ({ at }) => (
                <div className={css.cell}>
                  <Time at={at} as="moment" className={table.muted} />
                </div>
              ),
              num: true,
            },
          ]}
        />
      )}
    </>
  )
}

type Narrow = (next: { [Name in keyof Filter]: Filter[Name] | undefined }) => void
function Narrowing({ filter, narrow }: { filter: Filter; narrow: Narrow }) {
  const t = useWords(changeWords)
  const tList = useWords(listWords)
  const tHistory = useWords(historyWords)
  const people = useAtomValue(everyPerson)
  const users = people.state === 'ready' ? people.value : []
  const named = users.map(({ id, name, retired }) => ({ value: id, label: retired ? tHistory('left', { name }) : name }))
  const unlisted = filter.userId !== undefined && !users.some(({ id }) => id === filter.userId)
  const { rowId: _, ...others } = filter
  return (
    <FilterBar
      from={filter.from}
      to={filter.to}
      onChoose={(days) => narrow({ ...filter, ...days })}
      onClear={Object.keys(filter).length > 0 && (() => narrow({}))}
    >
      <HTMLSelect
        aria-label={t('list')}
        value={filter.list ?? ''}
        options={[{ value: '', label: t('anyList') }, ...lists.map((list) => ({ value: list, label: tList(list) }))]}
        onChange={({ currentTarget: { value } }) => narrow({ ...others, list: isAudited(value) ? value : undefined })}
      />
      <HTMLSelect
        aria-label={t('person')}
        value={filter.userId ?? ''}
        options={[
          { value: '', label: t('anyone') },
          ...named,
          ...(unlisted ? [{ value: filter.userId!, label: t('gone', { id: filter.userId! }) }] : []),
        ]}
        onChange={({ currentTarget: { value } }) => narrow({ ...filter, userId: value === '' ? undefined : Number(value) })}
      />
      {filter.rowId !== undefined && (
        <RemovableTag onRemove={() => narrow(others)}>
          {t('row')}: #{filter.rowId}
        </RemovableTag>
      )}
    </FilterBar>
  )
}
const lists = Object.keys(auditedLists).filter(isAudited)

function Who({ row: { user, act } }: { row: AuditRow }) {
  const t = useWords(changeWords)
  const tAct = useWords(actWords)
  return (
    <div className={css.cell}>
      <span dir="auto">{user?.name ?? t('noOne')}</span> <span className={table.muted}>{tAct(act)}</span>
    </div>
  )
}

/** The screen of each list, shown to viewers who may change its rows. */
const screens: Record<AuditedList, { path: string; call: Parameters<typeof useMay>[0] }> = {
  queue: { path: '/queues', call: queues.update },
  tag: { path: '/tags', call: tags.update },
  quickMessage: { path: '/quick-messages', call: quickReplies.update },
  fileList: { path: '/files', call: fileLists.update },
  reportFilter: { path: '/reports', call: reportFilters.update },
  contact: { path: '/contacts', call: contacts.update },
  user: { path: '/users', call: users.create },
  company: { path: '/settings', call: settingCalls.set },
  connection: { path: '/connections', call: connections.update },
}

function Which({ row, only }: { row: AuditRow; only: (row: AuditRow) => void }) {
  const t = useWords(changeWords)
  const tList = useWords(listWords)
  const { list, rowId, stands } = row
  const known = isAudited(list) ? list : null
  const may = useMay(screens[known ?? 'queue'].call) && known !== null && stands
  const name = row.name || `#${rowId}`
  return (
    <div className={css.cell}>
      <span className={table.muted}>{known ? tList(known) : list}</span>
      <span className={css.which}>
        <bdi>
          {may ? (
            <Link href={`${screens[known!].path}?open=${rowId}`} state={{ from: '/audit' }}>
              {name}
            </Link>
          ) : (
            name
          )}
        </bdi>
        <Button
          variant="minimal"
          size="small"
          icon={<FilterIcon size={12} />}
          aria-label={t('only', { name })}
          title={t('only', { name })}
          onClick={() => only(row)}
        />
      </span>
    </div>
  )
}
