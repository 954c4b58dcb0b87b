import { amount, useLanguage } from '#web/i18n.ts'
import css from './Counts.module.css'

/** Numbers with their labels, one per line. */
export function Counts({ of }: { of: [what: string, n: number][] }) {
  const language = useLanguage()
  return (
    <dl className={`${css.counts} nums`} data-part="counts">
      {of.map(([what, n]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{amount(n, language)}</dd>
        </div>
      ))}
    </dl>
  )
}
