import { Button } from '@blueprintjs/core'
import { CaretDown, CaretUp } from '@blueprintjs/icons'
import { useState } from 'react'
import type { Attendant } from '#domain/dashboard/contract.ts'
import { amount, type Language, useLanguage, useWords } from '#web/i18n.ts'
import { compareNames } from '#web/name-order.ts'
import css from './Dashboard.module.css'
import { Definition } from './Definition.tsx'
import { decimal, duration } from './format.ts'
import { dashboardWords } from './words.ts'

type Column = {
  key: keyof typeof dashboardWords
  value: (row: Attendant) => number | null
  write: (n: number | null, language: Language) => string
}
const count = (key: Column['key'] & keyof Attendant): Column => ({
  key,
  value: (row) => row[key] as number,
  write: (n, language) => amount(n ?? 0, language),
})
const columns: Column[] = [
  { ...count('tickets'), key: 'finalized' },
  ...(['byHand', 'byRule', 'byOthers', 'closeAll', 'tookPart', 'countRating'] as const).map(count),
  { key: 'rating', value: ({ rating }) => rating, write: decimal },
  { key: 'waiting', value: ({ times }) => times.waiting.average, write: duration },
  { key: 'firstAnswer', value: ({ times }) => times.firstAnswer.average, write: duration },
  { key: 'support', value: ({ times }) => times.support.average, write: duration },
]
type Order = { key: Column['key'] | 'name'; down: boolean }

/** Rows without a value stand last in both orders, and the tickets without an agent below all. */
export function sorted(rows: Attendant[], { key, down }: Order): Attendant[] {
  const value = columns.find((column) => column.key === key)?.value
  const sign = down ? -1 : 1
  return rows.toSorted((a, b) => {
    if ((a.id === null) !== (b.id === null)) return a.id === null ? 1 : -1
    if (!value) return sign * compareNames(a.name ?? '', b.name ?? '')
    const [one, other] = [value(a), value(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return sign * (one - other) || compareNames(a.name ?? '', b.name ?? '')
  })
}

/** One row per agent, and one for the tickets that no agent served; they add up to the card (A-COUNT-08). */
export function Attendants({ rows }: { rows: Attendant[] }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const [order, setOrder] = useState<Order>({ key: 'finalized', down: true })
  const nameOf = ({ id, name, removed }: Attendant) =>
    id === null ? t('noAgent') : name === null ? t('unknown', { id }) : removed ? t('removed', { name }) : name
  const head = (key: Order['key'], text: string) => {
    const isChosen = order.key === key
    const Caret = order.down ? CaretDown : CaretUp
    return (
      <Button
        variant="minimal"
        size="small"
        text={text}
        aria-label={t('sortBy', { name: text })}
        {...(isChosen && { endIcon: <Caret size={12} /> })}
        onClick={() => setOrder({ key, down: isChosen ? !order.down : key !== 'name' })}
      />
    )
  }
  const aria = (key: Order['key']) => (order.key === key ? (order.down ? 'descending' : 'ascending') : undefined)
  const total = rows.reduce((sum, { tickets }) => sum + tickets, 0)
  return (
    <div className={css.section}>
      <h2>
        {t('attendants')} <Definition of="attendants" name={t('attendants')} />
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard scrolls it */}
      <section className={css.scrolls} tabIndex={0} aria-label={t('attendants')}>
        <table className={css.table} data-part="attendants" aria-label={t('attendants')}>
          <thead>
            <tr>
              <th scope="col" aria-sort={aria('name')}>
                {head('name', t('name'))}
              </th>
              {columns.map(({ key }) => (
                <th key={key} scope="col" className={css.num} aria-sort={aria(key)}>
                  {head(key, t(key))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted(rows, order).map((row) => (
              <tr key={row.id ?? 0}>
                <th scope="row">
                  {row.id !== null && !row.removed && (
                    <span
                      className={css.presence}
                      data-online={row.online || undefined}
                      role="img"
                      aria-label={t(row.online ? 'online' : 'offline')}
                    />
                  )}
                  <bdi>{nameOf(row)}</bdi>
                </th>
                {columns.map(({ key, value, write }) => (
                  <td key={key} className={`${css.num} nums`}>
                    {write(value(row), language)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('total')}</th>
              <td className={`${css.num} nums`}>{amount(total, language)}</td>
              <td colSpan={columns.length - 1} />
            </tr>
          </tfoot>
        </table>
      </section>
    </div>
  )
}
