import { SegmentedControl } from '@blueprintjs/core'
import { TimelineBarChart } from '@blueprintjs/icons'
import { useAtomValue, useSetAtom } from 'jotai'
import { type Group, type Grouping, groupings } from '#domain/dashboard/contract.ts'
import { amount, useWords } from '#web/i18n.ts'
import type { ReportView } from '#web/report/filter.ts'
import { Empty, ErrorView, Skeleton } from '#web/ui/states.tsx'
import type { Asked } from './address.ts'
import { breakdownOf, ofAsked } from './atoms.ts'
import css from './Dashboard.module.css'
import { Definition } from './Definition.tsx'
import { created, finalized, noValueId, reportBehind } from './drill.ts'
import { decimal, duration } from './format.ts'
import { type NumberColumn, NumberTable } from './NumberTable.tsx'
import { useRefresh } from './refresh.ts'
import { dashboardWords } from './words.ts'

const words = {
  queue: { name: 'queue', none: 'noQueue', filter: 'queueIds' },
  connection: { name: 'connection', none: 'noConnection', filter: 'whatsappId' },
  user: { name: 'agent', none: 'noAgent', filter: 'users' },
  tag: { name: 'tag', none: 'noTag', filter: 'tags' },
} as const

function columnsOf(asked: Asked, by: Grouping): NumberColumn<Group>[] {
  const behind = (count: 'created' | 'finalized', change: Partial<ReportView>) => (row: Group) =>
    row[count] > 0 ? reportBehind(asked, { ...change, [words[by].filter]: [row.id ?? noValueId] }) : undefined
  const adds = by !== 'tag' && { total: true as const }
  const time = (key: keyof Group['times'], of: 'median' | 'p90'): NumberColumn<Group> => ({
    ...{ key: of === 'median' ? key : (`${key}P90` as 'waitingP90'), value: ({ times }) => times[key][of], write: duration },
  })
  return [
    {
      key: 'created',
      value: (row) => row.created,
      write: (n, language) => amount(n ?? 0, language),
      behind: behind('created', created),
      ...adds,
    },
    {
      ...{ key: 'finalized', value: (row) => row.finalized, write: (n, language) => amount(n ?? 0, language) },
      ...{ behind: behind('finalized', finalized), ...adds },
    },
    time('waiting', 'median'),
    time('waiting', 'p90'),
    time('firstAnswer', 'median'),
    time('firstAnswer', 'p90'),
    time('support', 'median'),
    time('resolution', 'median'),
    { key: 'countRating', value: ({ withRating }) => withRating, write: (n, language) => amount(n ?? 0, language) },
    { key: 'score', value: ({ withRating, npsScore }) => (withRating === 0 ? null : npsScore), write: decimal },
  ]
}

/** The tickets of the range per queue, connection, agent or tag, with their times. */
export function Breakdown({ asked, onBy }: { asked: Asked; onBy: (by: Grouping) => void }) {
  const t = useWords(dashboardWords)
  const { by } = asked
  const of = breakdownOf({ ...ofAsked(asked), by, openHours: asked.openHours })
  const loaded = useAtomValue(of)
  const reload = useSetAtom(of.reload)
  useRefresh(reload, asked)
  return (
    <div className={css.section}>
      <h2>
        {t('breakdown')} <Definition of="breakdown" name={t('breakdown')} />
      </h2>
      <SegmentedControl
        inline
        role="radiogroup"
        aria-label={t('per')}
        size="small"
        value={by}
        options={groupings.map((value) => ({ value, label: t(words[value].name) }))}
        onValueChange={(value) => onBy(value as Grouping)}
      />
      {loaded.state === 'failed' && <ErrorView error={loaded.error} onRetry={reload} />}
      {loaded.state === 'loading' && <Skeleton rows={4} height={36} />}
      {loaded.state === 'ready' && loaded.value.groups.length === 0 && <Empty icon={<TimelineBarChart size={20} />} title={t('noData')} />}
      {loaded.state === 'ready' && loaded.value.groups.length > 0 && (
        <NumberTable
          key={by}
          name={t('breakdown')}
          rows={loaded.value.groups}
          columns={columnsOf(asked, by)}
          none={t(words[by].none)}
          mark={({ color }) => color && <span className={css.swatch} style={{ background: color }} aria-hidden />}
        />
      )}
    </div>
  )
}
