import { Button } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { rangeProblem } from '#domain/report/rules.ts'
import { useWords } from '#web/i18n.ts'
import { badEntry, badEntryType } from './bad-entry.ts'
import { EntryInput } from './EntryInput.tsx'
import css from './FilterBar.module.css'
import { HTMLSelect } from './HTMLSelect.tsx'
import { daysAgo, lastDayFrom, monthBegins, previousMonth, today } from './moment.ts'
import { uiWords } from './words.ts'

/** Days in the company's zone, both included. A range without a last day lasts until today; without both it is any time. */
export type Days = { from: string | undefined; to: string | undefined }

/** Why the days find nothing. A counted range may be too long. */
export function problemOf({ from, to }: Days, isCounted: boolean): ReturnType<typeof rangeProblem> {
  if (from === undefined) return null
  const problem = rangeProblem(from, to ?? lastDayFrom(from))
  return problem === 'tooLong' && !isCounted ? null : problem
}

export const anyDay: Days = { from: undefined, to: undefined }
const edges = ['from', 'to'] as const
type Edge = (typeof edges)[number]
const presets = {
  today: () => ({ from: today(), to: today() }),
  yesterday: () => ({ from: daysAgo(1), to: daysAgo(1) }),
  week: () => ({ from: daysAgo(6), to: today() }),
  month: () => ({ from: monthBegins(), to: today() }),
  lastMonth: previousMonth,
}
type Preset = keyof typeof presets
const names = Object.keys(presets) as Preset[]

/** The filters of a list, days last; a choice applies at once. */
export function FilterBar({
  from,
  to,
  onChoose,
  onClear,
  hasDays = true,
  isCounted = false,
  children,
}: Days & {
  onChoose: (days: Days) => void
  onClear: (() => void) | false
  hasDays?: boolean
  /** The range is counted, so it has a maximum length. */
  isCounted?: boolean
  children?: ReactNode
}) {
  const t = useWords(uiWords)
  const problemId = useId()
  const [badEdges, setBadEdges] = useState<readonly Edge[]>([])
  const problem = badEdges.length > 0 ? 'badDate' : problemOf({ from, to }, isCounted)
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a form, because nothing is submitted
    <div className={css.filters} role="group" aria-label={t('filters')}>
      {children}
      {hasDays && <DayFields {...{ from, to, onChoose, problemId, badEdges, setBadEdges }} isWrong={problem !== null} />}
      {onClear && <Button variant="minimal" text={t('clearFilters')} onClick={onClear} />}
      {hasDays && problem && (
        <p id={problemId} className={css.problem} role="alert">
          {t(problem === 'tooLong' ? 'rangeTooLong' : problem)}
        </p>
      )}
    </div>
  )
}

/** A period by its name, or by its first and last day. */
function DayFields({
  from,
  to,
  onChoose,
  problemId,
  isWrong,
  badEdges,
  setBadEdges,
}: Days & {
  onChoose: (days: Days) => void
  problemId: string
  isWrong: boolean
  /** The fields with an impossible date. */
  badEdges: readonly Edge[]
  setBadEdges: (edges: readonly Edge[]) => void
}) {
  const t = useWords(uiWords)
  const chosen = names.find((name) => {
    const days = presets[name]()
    return days.from === from && days.to === to
  })
  const none = from === undefined && to === undefined
  const lasting = useId()
  const isLasting = from !== undefined && to === undefined
  const enter = (edge: Edge, value: string) => {
    const others = badEdges.filter((one) => one !== edge)
    setBadEdges(badEntryType(value) ? [...others, edge] : others)
    if (!badEntryType(value)) onChoose({ from, to, [edge]: value || undefined })
  }
  return (
    <>
      <HTMLSelect
        className={css.period!}
        aria-label={t('period')}
        value={chosen ?? (none ? '' : 'own')}
        options={[
          { value: '', label: t('anyDay') },
          ...names.map((name) => ({ value: name, label: t(name) })),
          ...(chosen || none ? [] : [{ value: 'own', label: t('ownDays') }]),
        ]}
        onChange={({ currentTarget: { value } }) => {
          setBadEdges([])
          if (value !== 'own') onChoose(presets[value as Preset]?.() ?? anyDay)
        }}
      />
      <div className={css.days}>
        {edges.map((edge) => (
          <label key={edge}>
            <span>{t(edge)}</span>
            <EntryInput
              type="date"
              className={`bp6-input ${isWrong ? 'bp6-intent-danger' : ''}`}
              value={badEdges.includes(edge) ? badEntry('date') : ((edge === 'from' ? from : to) ?? '')}
              onEntry={(value) => enter(edge, value)}
              {...(isWrong && { 'aria-invalid': true, 'aria-describedby': problemId })}
              {...(isLasting && !isWrong && edge === 'to' && { 'aria-describedby': lasting })}
            />
          </label>
        ))}
      </div>
      {isLasting && (
        <small id={lasting} className={css.lasting}>
          {t('untilToday')}
        </small>
      )}
    </>
  )
}
