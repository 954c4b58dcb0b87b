import { Button } from '@blueprintjs/core'
import { CaretDown, CaretUp } from '@blueprintjs/icons'
import { type ReactNode, useState } from 'react'
import { amount, type Language, useLanguage, useWords } from '#web/i18n.ts'
import { compareNames } from '#web/name-order.ts'
import { Behind } from './Cards.tsx'
import css from './Dashboard.module.css'
import { dashboardWords } from './words.ts'

export type NumberColumn<Row> = {
  key: keyof typeof dashboardWords
  value: (row: Row) => number | null
  write: (n: number | null, language: Language) => string
  /** The address of the tickets behind the number. */
  behind?: (row: Row) => string | undefined
  /** Whether the rows add up to a total. */
  total?: true
}
/** `id` null: the tickets that have no such value; they stand below all others. */
type NumberRow = { id: number | null; name: string | null; removed: boolean }
type Order = { key: NumberColumn<never>['key'] | 'name'; down: boolean }

/** Rows without a value stand last in both orders, and the row of no value below all. */
export function sorted<Row extends NumberRow>(rows: Row[], columns: NumberColumn<Row>[], { key, down }: Order): Row[] {
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

/** A table of numbers per agent, queue or other value, which is sorted by its headings. */
export function NumberTable<Row extends NumberRow>({
  name,
  rows,
  columns,
  none,
  mark,
}: {
  /** Its accessible name. */
  name: string
  rows: Row[]
  columns: NumberColumn<Row>[]
  /** The name of the row of no value. */
  none: string
  /** What stands before a row's name. */
  mark?: (row: Row) => ReactNode
}) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const [order, setOrder] = useState<Order>({ key: 'finalized', down: true })
  const nameOf = ({ id, name: own, removed }: Row) =>
    id === null ? none : own === null ? t('unknown', { id }) : removed ? t('removed', { name: own }) : own
  const aria = (key: Order['key']) => (order.key === key ? (order.down ? 'descending' : 'ascending') : undefined)
  const totalOf = ({ value }: NumberColumn<Row>) => rows.reduce((sum, row) => sum + (value(row) ?? 0), 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard scrolls it
    <section className={css.scrolls} tabIndex={0} aria-label={name}>
      <table className={css.table} data-part="numbers" aria-label={name}>
        <thead>
          <tr>
            <th scope="col" aria-sort={aria('name')}>
              <SortButton of="name" order={order} onOrder={setOrder} />
            </th>
            {columns.map(({ key }) => (
              <th key={key} scope="col" className={css.num} aria-sort={aria(key)}>
                <SortButton of={key} order={order} onOrder={setOrder} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, columns, order).map((row) => (
            <tr key={row.id ?? 0}>
              <th scope="row">
                {mark?.(row)}
                <bdi>{nameOf(row)}</bdi>
              </th>
              {columns.map((column) => (
                <td key={column.key} className={`${css.num} nums`}>
                  <Behind to={column.behind?.(row)}>{column.write(column.value(row), language)}</Behind>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {columns.some(({ total }) => total) && (
          <tfoot>
            <tr>
              <th scope="row">{t('total')}</th>
              {columns.map((column) => (
                <td key={column.key} className={`${css.num} nums`}>
                  {column.total && amount(totalOf(column), language)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}

function SortButton({ of, order, onOrder }: { of: Order['key']; order: Order; onOrder: (order: Order) => void }) {
  const t = useWords(dashboardWords)
  const isChosen = order.key === of
  const Caret = order.down ? CaretDown : CaretUp
  return (
    <Button
      variant="minimal"
      size="small"
      text={t(of)}
      aria-label={t('sortBy', { name: t(of) })}
      {...(isChosen && { endIcon: <Caret size={12} /> })}
      onClick={() => onOrder({ key: of, down: isChosen ? !order.down : of !== 'name' })}
    />
  )
}
