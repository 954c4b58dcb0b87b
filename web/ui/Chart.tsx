import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { themeAtom } from '#web/shell/theme.ts'
import css from './Chart.module.css'
import { ChartTable } from './ChartTable.tsx'
import { type ChartOf, tell } from './drawing.ts'
import { Plot, type Pointed } from './Plot.tsx'

/**
 * The only chart component. The legend toggles series, hovering shows a point, and a table contains the same
 * values. `mark`: the point with a vertical line.
 */
export function Chart({ of, mark = null }: { of: ChartOf; mark?: number | null }) {
  const { title, hint, points, series, write } = of
  const theme = useAtomValue(themeAtom)
  const [hidden, setHidden] = useState<string[]>([])
  const [at, setAt] = useState<Pointed>(null)
  const visible = series.filter(({ name }) => !hidden.includes(name))

  const tip = at && points[at.index] ? { ...at, ...points[at.index]! } : null
  return (
    <figure className={css.chart} data-part="chart">
      <figcaption>
        <strong>{title}</strong>
        {hint && <p>{hint}</p>}
      </figcaption>
      {series.length > 1 && (
        <div className={css.legend}>
          {series.map(({ name, colour, shape }) => (
            <button
              key={name}
              type="button"
              aria-pressed={!hidden.includes(name)}
              disabled={visible.length === 1 && visible[0]!.name === name}
              onClick={() => setHidden(hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name])}
            >
              <span className={css.swatch} data-shape={shape} style={{ color: `var(${colour})` }} />
              {name}
            </button>
          ))}
        </div>
      )}
      <div className={css.plot}>
        <Plot key={theme} of={of} hidden={hidden} mark={mark} onPoint={setAt} />
        {tip && (
          <div
            className={css.tip}
            data-part="chart-tip"
            data-side={tip.index * 2 < points.length ? 'right' : 'left'}
            style={{ left: tip.left }}
          >
            <strong>{tip.long}</strong>
            {visible.map(({ name, values }) => (
              <span key={name}>
                {name}: <span className="nums">{tell(values[tip.index], write)}</span>
              </span>
            ))}
          </div>
        )}
      </div>
      <ChartTable of={of} />
    </figure>
  )
}
