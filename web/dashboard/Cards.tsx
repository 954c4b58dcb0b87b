import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Counters } from '#domain/dashboard/contract.ts'
import { amount, useLanguage, useWords } from '#web/i18n.ts'
import { NotLive } from '#web/ui/NotLive.tsx'
import type { Asked } from './address.ts'
import { nowOf } from './atoms.ts'
import css from './Dashboard.module.css'
import { Definition } from './Definition.tsx'
import { finalized, reportBehind } from './drill.ts'
import { dashboardWords, type definitionWords } from './words.ts'

/** The six cards (R-DASH-01): the counts of now are live, the others belong to the range. */
export function Cards({ counters, asked }: { counters: Counters; asked: Asked }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const live = useAtomValue(nowOf(JSON.stringify(asked.filters)))
  const now = live.now ?? counters
  const { supportFinished, leads, previous, reopenedSince, deletedSince, closings } = counters
  const notes = [
    closings > supportFinished && t('closings', { n: closings }),
    reopenedSince > 0 && t('reopenedSince', { n: reopenedSince }),
    deletedSince > 0 && t('deletedSince', { n: deletedSince }),
  ].filter((note) => note !== false)
  return (
    <section aria-label={t('now')}>
      <dl className={css.cards}>
        <Card of="supportHappening" value={now.supportHappening} live />
        <Card of="supportPending" value={now.supportPending} live>
          {now.supportWithBot > 0 && t('withBot', { n: now.supportWithBot })}
        </Card>
        <Card of="supportFinished" value={supportFinished} before={previous.supportFinished} behind={reportBehind(asked, finalized)}>
          {notes.join(' · ')}
        </Card>
        <Card of="supportGroups" value={now.supportGroups} live />
        <Card of="active" value={`${amount(now.usersOnline, language)}/${amount(now.usersTotal, language)}`} live />
        <Card of="leads" value={leads} before={previous.leads} />
      </dl>
      <NotLive failing={live.since} />
    </section>
  )
}

type CardName = keyof typeof dashboardWords & keyof typeof definitionWords
export function Card({
  of,
  value,
  before,
  live,
  behind,
  children,
}: {
  of: CardName
  value: number | string
  before?: number
  live?: true
  /** The address of the tickets behind the number. */
  behind?: string | undefined
  children?: ReactNode
}) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const shown = typeof value === 'number' ? amount(value, language) : value
  return (
    <div data-part="card" data-card={of}>
      <dt>
        {t(of)} {live && <span className={css.live} title={t('now')} />}
        <Definition of={of} name={t(of)} />
      </dt>
      <dd>
        <strong className="nums">
          <Behind to={behind}>{shown}</Behind>
        </strong>
        {before !== undefined && typeof value === 'number' && <Compared value={value} before={before} />}
        {children && <small>{children}</small>}
      </dd>
    </div>
  )
}

/** A number that leads to its tickets, if there is a list of them. */
export function Behind({ to, children }: { to: string | undefined; children: string }) {
  const t = useWords(dashboardWords)
  if (to === undefined) return children
  return (
    <Link href={to} title={t('behind')}>
      {children}
    </Link>
  )
}

/** The difference from the period before; without a percentage if that had 0 (A-COUNT-13). */
function Compared({ value, before }: { value: number; before: number }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  if (value === before) return <small>{t('same')}</small>
  if (before === 0) return <small>{t('new')}</small>
  const change = new Intl.NumberFormat(language, { style: 'percent', signDisplay: 'always', maximumFractionDigits: 0 }).format(
    (value - before) / before,
  )
  return (
    <small>
      <span className="nums">{change}</span> {t('than', { before: amount(before, language) })}
    </small>
  )
}
