import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { Shield } from '@blueprintjs/icons'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import { type SecurityRow, securityKinds } from '#domain/security/contract.ts'
import { useWords } from '#web/i18n.ts'
import { Head } from '#web/ui/Head.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Table } from '#web/ui/Table.tsx'
import { Time } from '#web/ui/Time.tsx'
import { chainAtom, filterAtom, isKind, listAtom, nothing, search } from './atoms.ts'
import './security.css'
import { detailWords, kindWords, reasonWords, securityWords, valueWords } from './words.ts'

/** Who came in, who was kept out, and who changed what others may (A-AUTH-13). */
export function SecurityLog() {
  const say = useWords(securityWords)
  const kind = useWords(kindWords)
  const [text, type] = useAtom(search.text)
  const find = useSetAtom(search.settled)
  const [filter, choose] = useAtom(filterAtom)
  const list = useAtomValue(listAtom)
  const ids = useAtomValue(list.ids)
  const state = useAtomValue(list.state)
  const error = useAtomValue(list.error)
  const reload = useSetAtom(list.reload)
  const narrowed = text !== '' || filter.kind !== '' || filter.from !== '' || filter.to !== ''
  const turned = filter.from !== '' && filter.to !== '' && filter.from > filter.to
  const clear = () => {
    find('')
    choose(nothing)
  }
  return (
    <>
      <Head title={say('title')} lead={say('lead')} search={text} onSearch={type}>
        <HTMLSelect
          aria-label={say('kind')}
          value={filter.kind}
          onChange={({ target }) => choose({ ...filter, kind: isKind(target.value) ? target.value : '' })}
        >
          <option value="">{say('all')}</option>
          {securityKinds.map((one) => (
            <option key={one} value={one}>
              {kind(one)}
            </option>
          ))}
        </HTMLSelect>
        {(['from', 'to'] as const).map((end) => (
          <label key={end} className="security-day" htmlFor={`security-${end}`}>
            {say(end)}
            <InputGroup id={`security-${end}`} type="date" value={filter[end]} onValueChange={(day) => choose({ ...filter, [end]: day })} />
          </label>
        ))}
      </Head>
      <Chain />
      {turned && (
        <p className="security-chain security-chain-broken" role="alert">
          {say('turned')}
        </p>
      )}
      {state === 'failed' && <ErrorView error={error} retry={reload} />}
      {state === 'loading' && <Skeleton rows={10} height={40} />}
      {state === 'ready' && ids.length === 0 && (
        <Empty
          icon={<Shield size={20} />}
          title={say(narrowed ? 'noneFiltered' : 'noneYet')}
          {...(narrowed && { action: <Button text={say('clear')} onClick={clear} /> })}
        />
      )}
      {ids.length > 0 && (
        <Table
          list={list}
          label={say('title')}
          columns={[
            { title: say('kind'), cell: (row) => kind(row.kind) },
            { title: say('who'), cell: ({ user, companyId }) => user?.name ?? (companyId === 0 ? say('nobody') : '') },
            { title: say('detail'), cell: (row) => <Detail row={row} />, wide: true },
            { title: say('address'), cell: ({ address }) => <span className="cell-muted nums">{address ?? ''}</span>, wide: true },
            { title: say('at'), cell: ({ at }) => <Time at={at} className="cell-muted" />, num: true },
          ]}
        />
      )}
    </>
  )
}

function Chain() {
  const say = useWords(securityWords)
  const chain = useAtomValue(chainAtom)
  if (chain.state !== 'ready') return null
  const { holds, events, brokenAt } = chain.value
  if (holds) return events === 0 ? null : <p className="security-chain">{say('holds', { n: events })}</p>
  return (
    <p className="security-chain security-chain-broken" role="alert">
      {say('broken', { n: brokenAt ?? 0 })}
    </p>
  )
}

function Detail({ row: { detail } }: { row: SecurityRow }) {
  const name = useWords(detailWords)
  const reason = useWords(reasonWords)
  const known = useWords(valueWords)
  const told = Object.entries(detail)
    .filter(([key]) => key !== 'session')
    .map(([key, value]) => {
      const plain = typeof value === 'string' ? value : JSON.stringify(value)
      const told = plain in valueWords ? known(plain as keyof typeof valueWords) : plain
      const text = key === 'reason' && plain in reasonWords ? reason(plain as keyof typeof reasonWords) : told
      return `${key in detailWords ? name(key as keyof typeof detailWords) : key}: ${text}`
    })
  return <span className="cell-muted">{told.join(' · ')}</span>
}
