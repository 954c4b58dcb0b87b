import { Button, HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { useWords } from '#web/i18n.ts'
import css from './FilterBar.module.css'
import { daysAgo, monthBegins, previousMonth, today } from './moment.ts'
import { uiWords } from './words.ts'

/** Days in the company's zone, both included. A range without a last day lasts until today; without both it is any time. */
export type Days = { from: string | undefined; to: string | undefined }

export const anyDay: Days = { from: undefined, to: undefined }
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
  children,
}: Days & { onChoose: (days: Days) => void; onClear: (() => void) | false; hasDays?: boolean; children?: ReactNode }) {
  const t = useWords(uiWords)
  const problem = useId()
  const turned = from !== undefined && to !== undefined && from > to
  return (
    // biome-ignore lint/a11y/useSemanticElements: not a form, because nothing is submitted
    <div className={css.filters} role="group" aria-label={t('filters')}>
      {children}
      {hasDays && <DayFields {...{ from, to, onChoose, problem }} isTurned={turned} />}
      {onClear && <Button variant="minimal" text={t('clearFilters')} onClick={onClear} />}
      {hasDays && turned && (
        <p id={problem} className={css.turned} role="alert">
          {t('turned')}
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
  problem,
  isTurned,
}: Days & { onChoose: (days: Days) => void; problem: string; isTurned: boolean }) {
  const t = useWords(uiWords)
  const chosen = names.find((name) => {
    const days = presets[name]()
    return days.from === from && days.to === to
  })
  const none = from === undefined && to === undefined
  const lasting = useId()
  const isLasting = from !== undefined && to === undefined
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
          if (value !== 'own') onChoose(presets[value as Preset]?.() ?? anyDay)
        }}
      />
      <div className={css.days}>
        {(['from', 'to'] as const).map((edge) => (
          <label key={edge}>
            <span>{t(edge)}</span>
            <input
              type="date"
              className={`bp6-input ${isTurned ? 'bp6-intent-danger' : ''}`}
              value={(edge === 'from' ? from : to) ?? ''}
              onChange={({ currentTarget: { value } }) => onChoose({ from, to, [edge]: value || undefined })}
              {...(isTurned && { 'aria-invalid': true, 'aria-describedby': problem })}
              {...(isLasting && edge === 'to' && { 'aria-describedby': lasting })}
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
