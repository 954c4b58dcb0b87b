import { Button } from '@blueprintjs/core'
import { useWords } from '#web/i18n.ts'
import type { RowFile } from './changed.ts'
import type { Theirs } from './edit-conflict.ts'
import type { FieldLabel } from './fieldLabels.ts'
import css from './Meanwhile.module.css'
import { uiWords } from './words.ts'

/** Shows a conflict: another user changed the row, so nothing was saved. The edited fields keep their values. */
export function Meanwhile<V extends object>({
  values,
  parts,
  taken,
  clashing,
  labelOf,
  onTake,
  onTakePart,
}: Theirs<V> & {
  labelOf: (name: string) => FieldLabel | undefined
  onTake: (name: keyof V & string) => void
  onTakePart: (part: Theirs<V>['parts'][number]) => void
}) {
  const t = useWords(uiWords)
  const written = (value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (Array.isArray(value)) return value.map(written).join(', ') || t('emptied')
    if (typeof value === 'object' && value !== null && 'path' in value) return (value as RowFile).name
    if (typeof value === 'object' && value !== null) return Object.values(value).map(written).join(': ')
    return typeof value === 'number' || (typeof value === 'string' && value !== '') ? `${value}` : t('emptied')
  }
  const named = (name: string) => labelOf(name)?.label ?? name
  const theirs = (name: keyof V & string) => labelOf(name)?.shown?.(values[name]) || written(labelOf(name)?.shown ? '' : values[name])
  return (
    <section className={css.meanwhile} role="alert">
      <p>{t('changedMeanwhile')}</p>
      <dl>
        {parts.map((part) => (
          <div key={`${part.name} ${part.key}`}>
            <dt>{part.label}</dt>
            <dd>
              <p>{t('mine', { text: part.mine })}</p>
              <p>{t('theirs', { text: part.theirs })}</p>
            </dd>
            <Button variant="minimal" size="small" text={t('takeTheirs')} onClick={() => onTakePart(part)} />
          </div>
        ))}
        {clashing.map((name) => (
          <div key={name}>
            <dt>{named(name)}</dt>
            <dd>{theirs(name)}</dd>
            <Button variant="minimal" size="small" text={t('takeTheirs')} onClick={() => onTake(name)} />
          </div>
        ))}
        {taken.map((name) => (
          <div key={name}>
            <dt>{named(name)}</dt>
            <dd>{theirs(name)}</dd>
            <span className={css.taken}>{t('takenOver')}</span>
          </div>
        ))}
      </dl>
    </section>
  )
}
