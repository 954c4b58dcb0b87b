import { Button } from '@blueprintjs/core'
import { useWords } from '#web/i18n.ts'
import type { RowFile } from './changed.ts'
import css from './Meanwhile.module.css'
import { uiWords } from './words.ts'

/** Shows a conflict: another user changed the row, so nothing was saved. The edited fields keep their values. */
export function Meanwhile<V extends object>(of: {
  theirs: V
  taken: readonly (keyof V & string)[]
  clashing: readonly (keyof V & string)[]
  labelOf: (name: string) => string | undefined
  onTake: (name: keyof V & string) => void
}) {
  const t = useWords(uiWords)
  const written = (value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (Array.isArray(value)) return value.map(written).join(', ') || t('emptied')
    if (typeof value === 'object' && value !== null && 'path' in value) return (value as RowFile).name
    if (typeof value === 'object' && value !== null) return Object.values(value).map(written).join(': ')
    return typeof value === 'number' || (typeof value === 'string' && value !== '') ? `${value}` : t('emptied')
  }
  const named = (name: string) => of.labelOf(name) ?? name
  return (
    <section className={css.meanwhile} role="alert">
      <p>{t('changedMeanwhile')}</p>
      <dl>
        {of.clashing.map((name) => (
          <div key={name}>
            <dt>{named(name)}</dt>
            <dd>{written(of.theirs[name])}</dd>
            <Button variant="minimal" size="small" text={t('takeTheirs')} onClick={() => of.onTake(name)} />
          </div>
        ))}
        {of.taken.map((name) => (
          <div key={name}>
            <dt>{named(name)}</dt>
            <dd>{written(of.theirs[name])}</dd>
            <span className={css.taken}>{t('takenOver')}</span>
          </div>
        ))}
      </dl>
    </section>
  )
}
