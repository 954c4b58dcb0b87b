import { AnchorButton } from '@blueprintjs/core'
import { ArrowLeft, Pulse } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { useParams, useSearchParams } from 'wouter'
import { channels } from '#domain/channel/channels.ts'
import type { ConnectionRow } from '#domain/connection/contract.ts'
import { ranges, type Traffic } from '#domain/traffic/contract.ts'
import { connectionList } from '#web/connection/list.ts'
import { Status } from '#web/connection/Status.tsx'
import { formattedNumber } from '#web/contact/phone.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { Head } from '#web/ui/Head.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { rangeIn, trafficOf } from './atoms.ts'
import { Charts } from './Charts.tsx'
import { Failures, Gaps } from './Events.tsx'
import { Figures, Now } from './Figures.tsx'
import css from './Health.module.css'
import { trafficWords } from './words.ts'

const againMs = 30_000
const standing = ({ status, silentSince, unleasedSince, updatedAt }: ConnectionRow) =>
  `${status} ${silentSince} ${unleasedSince} ${updatedAt}`

/** State and history of a connection, for an operator who investigates slow messages. */
export function Health() {
  const t = useWords(trafficWords)
  const id = Number(useParams<{ id: string }>().id)
  const [query, ask] = useSearchParams()
  const days = rangeIn(query.get('days'))
  const of = trafficOf({ id, days })
  const loadedTraffic = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  const live = useAtomValue(connectionList.lists('').all).find((row) => row.id === id)
  const connection = loadedTraffic.state === 'ready' ? loadedTraffic.value.connection : null
  const there = connection !== null
  const news = live && connection && standing(live) !== standing(connection) ? standing(live) : null
  useEffect(() => {
    if (!there) return undefined
    if (news !== null) void reload()
    const timer = setInterval(() => void reload(), againMs)
    return () => clearInterval(timer)
  }, [there, news, reload])
  const range = (
    <HTMLSelect
      aria-label={t('range')}
      value={days}
      options={ranges.map((n) => ({ value: n, label: t('lastDays', { days: n }) }))}
      onChange={({ currentTarget: { value } }) => ask({ days: value }, { replace: true })}
    />
  )
  return (
    <>
      <Head title={connection ? t('healthOf', { name: connection.name }) : t('health')} lead={connection && <Lead of={connection} />}>
        <Back of={connection} />
        {range}
      </Head>
      {loadedTraffic.state === 'failed' && <ErrorView error={loadedTraffic.error} onRetry={reload} />}
      {loadedTraffic.state === 'loading' && <Skeleton rows={8} height={56} />}
      {loadedTraffic.state === 'ready' && <Been of={loadedTraffic.value} />}
    </>
  )
}

function Lead({ of }: { of: Traffic['connection'] }) {
  return (
    <span className={css.lead}>
      {channels[of.channel].name}
      {of.number && <span className="nums">{formattedNumber(of.number)}</span>}
      <Status of={of} />
    </span>
  )
}

function Back({ of }: { of: Traffic['connection'] | null }) {
  const t = useWords(trafficWords)
  const { companyId } = useViewer()
  const own = (of?.companyId ?? companyId) === companyId
  return <AnchorButton icon={<ArrowLeft />} text={t('back')} href={own ? '/connections' : '/allConnections'} />
}

function Been({ of }: { of: Traffic }) {
  const t = useWords(trafficWords)
  const been = of.days.some((day) => day.received > 0 || day.sent > 0 || day.awayMinutes > 0)
  return (
    <div className={css.page}>
      <Now of={of} />
      {been ? (
        <>
          <Figures days={of.days} />
          <Charts days={of.days} />
          <Failures of={of} />
        </>
      ) : (
        <Empty icon={<Pulse size={20} />} title={t('empty')}>
          {t('emptyHint')}
        </Empty>
      )}
      <Gaps of={of} />
    </div>
  )
}
