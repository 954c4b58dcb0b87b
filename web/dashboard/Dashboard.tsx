import { Tab as BlueprintTab, Checkbox, Tabs } from '@blueprintjs/core'
import { Calendar } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { useSearchParams } from 'wouter'
import type { Dashboard as Numbers } from '#domain/dashboard/contract.ts'
import { Checklist } from '#web/checklist/Checklist.tsx'
import { useWords } from '#web/i18n.ts'
import { MomentBar } from '#web/moment/MomentBar.tsx'
import { MomentButton } from '#web/moment/MomentButton.tsx'
import { useMoment } from '#web/moment/use-moment.ts'
import { reportChoices } from '#web/report/atoms.ts'
import { ReportLimit } from '#web/report/ReportLimit.tsx'
import { FilterBar, problemOf } from '#web/ui/FilterBar.tsx'
import { Head } from '#web/ui/Head.tsx'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { displayZone } from '#web/ui/moment.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import { Assessments } from './Assessments.tsx'
import { Attendants } from './Attendants.tsx'
import { type Asked, addressOf, askedIn, type FilterName, type Tab, tabs } from './address.ts'
import { dashboardOf, ofAsked } from './atoms.ts'
import { Breakdown } from './Breakdown.tsx'
import { Cards } from './Cards.tsx'
import css from './Dashboard.module.css'
import { MomentCards } from './MomentCards.tsx'
import { Performance } from './Performance.tsx'
import { useRefresh } from './refresh.ts'
import { Week } from './Week.tsx'
import { dashboardWords } from './words.ts'

/** The first screen of supervisors: the numbers of now and of a range (R-DASH-01). */
export function Dashboard() {
  const t = useWords(dashboardWords)
  const [address, setAddress] = useSearchParams()
  const asked = askedIn(address)
  const { moment } = useMoment()
  const at = address.get('at')
  const choose = (change: Partial<Asked>) => setAddress({ ...addressOf({ ...asked, ...change }), ...(at && { at }) }, { replace: true })
  const isEmpty = asked.from === undefined && asked.to === undefined
  const isWrong = problemOf(asked, true) !== null
  return (
    <>
      <Head title={t('dashboard')} lead={t('zone', { zone: displayZone().split('/').at(-1)!.replaceAll('_', ' ') })}>
        <MomentButton />
      </Head>
      <ReportLimit />
      <Checklist>{null}</Checklist>
      <FilterBar
        from={asked.from}
        to={asked.to}
        hasDays={moment === null}
        isCounted
        onChoose={choose}
        onClear={address.size > (at ? 1 : 0) && (() => setAddress(at ? { at } : {}, { replace: true }))}
      >
        <Filter name="queueIds" label="queue" any="anyQueue" list="queues" asked={asked} onChoose={choose} />
        <Filter name="whatsappId" label="connection" any="anyConnection" list="connections" asked={asked} onChoose={choose} />
        <Filter name="users" label="agent" any="anyAgent" list="users" asked={asked} onChoose={choose} />
        <Checkbox
          inline
          className={css.check!}
          label={t('openHours')}
          checked={asked.openHours}
          onChange={() => choose({ openHours: !asked.openHours })}
        />
      </FilterBar>
      {moment !== null && <MomentBar moment={moment} filters={asked.filters} isChartOpen />}
      {moment !== null && <MomentCards moment={moment} filters={asked.filters} />}
      {moment === null && isEmpty && (
        <Empty icon={<Calendar size={20} />} title={t('noRange')}>
          {t('noRangeWhy')}
        </Empty>
      )}
      {moment === null && !isEmpty && !isWrong && <OfRange asked={asked} onChoose={choose} />}
    </>
  )
}

type Choose = (change: Partial<Asked>) => void
function OfRange({ asked, onChoose }: { asked: Asked; onChoose: Choose }) {
  const t = useWords(dashboardWords)
  const of = dashboardOf({ ...ofAsked(asked), openHours: asked.openHours })
  const loaded = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  useRefresh(reload, asked)
  if (loaded.state === 'failed') return <ErrorView error={loaded.error} onRetry={reload} />
  if (loaded.state === 'loading') return <Skeleton rows={6} height={72} />
  const { counters } = loaded.value
  return (
    <div className={css.page}>
      <Cards counters={counters} asked={asked} />
      <Tabs
        id="dashboard"
        selectedTabId={asked.tab}
        onChange={(tab) => onChoose({ tab: tab as Tab })}
        renderActiveTabPanelOnly
        aria-label={t('views')}
      >
        {tabs.map((tab) => (
          <BlueprintTab
            key={tab}
            id={tab}
            disabled={false} // Blueprint's keys skip tabs without an explicit false
            title={t(tab)}
            panel={<Panel tab={tab} asked={asked} numbers={loaded.value} onChoose={onChoose} />}
          />
        ))}
      </Tabs>
    </div>
  )
}

type PanelOf = { tab: Tab; asked: Asked; numbers: Numbers; onChoose: Choose }
function Panel({ tab, asked, numbers, onChoose }: PanelOf) {
  switch (tab) {
    case 'performance':
      return <Performance asked={asked} numbers={numbers} />
    case 'assessments':
      return <Assessments counters={numbers.counters} asked={asked} />
    case 'attendants':
      return <Attendants rows={numbers.attendants} asked={asked} />
    case 'breakdown':
      return <Breakdown asked={asked} onBy={(by) => onChoose({ by })} />
    case 'week':
      return <Week asked={asked} />
  }
}

/** One value of a filter, as in the report: also removed users and queues, whose tickets stay (A-COUNT-04). An unknown id still filters. */
function Filter({
  name,
  label,
  any,
  list,
  asked: { filters },
  onChoose,
}: {
  name: FilterName
  label: 'queue' | 'connection' | 'agent'
  any: 'anyQueue' | 'anyConnection' | 'anyAgent'
  list: 'queues' | 'connections' | 'users'
  asked: Asked
  onChoose: (change: Partial<Asked>) => void
}) {
  const t = useWords(dashboardWords)
  const loaded = useAtomValue(reportChoices(null))
  const isLoaded = loaded.state === 'ready'
  const chosen = filters[name] ?? ''
  const rows = isLoaded ? loaded.value[list] : []
  const options = rows.map((row) => ({ value: `[${row.id}]`, label: row.removed ? t('removed', { name: row.name }) : row.name }))
  const known = chosen === '' || options.some(({ value }) => value === chosen)
  const extra = known ? [] : [{ value: chosen, label: isLoaded ? t('unknown', { id: chosen.slice(1, -1) }) : '…' }]
  return (
    <HTMLSelect
      aria-label={t(label)}
      value={chosen}
      options={[{ value: '', label: t(any) }, ...options, ...extra]}
      onChange={({ currentTarget: { value } }) => {
        const { [name]: _, ...others } = filters
        onChoose({ filters: { ...others, ...(value !== '' && { [name]: value }) } })
      }}
    />
  )
}
