import { useWords } from '#web/i18n.ts'
import css from './Chart.module.css'
import { type ChartOf, tell } from './drawing.ts'
import { uiWords } from './words.ts'

/** The values of a chart as a table, for screen readers. */
export function ChartTable({ of: { title, along, points, series, write } }: { of: ChartOf }) {
  const t = useWords(uiWords)
  return (
    <details className={css.table}>
      <summary>{t('asTable')}</summary>
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{along}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ long }, i) => (
            <tr key={long}>
              <th scope="row">{long}</th>
              {series.map(({ name, values }) => (
                <td key={name} className="nums">
                  {tell(values[i], write)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
