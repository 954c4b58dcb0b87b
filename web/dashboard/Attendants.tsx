import { Button } from '@blueprintjs/core'
import { CaretDown, CaretUp, Export as ExportIcon } from '@blueprintjs/icons'
import { useState } from 'react'
import { type Attendant, dashboard } from '#domain/dashboard/contract.ts'
import { api } from '#web/api.ts'
import { amount, type Language, useLanguage, useWords } from '#web/i18n.ts'
import { compareNames } from '#web/name-order.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { saveFile } from '#web/ui/save-file.ts'
import { toast } from '#web/ui/toaster.ts'
import { type Asked, daysOf } from './atoms.ts'
import { Behind } from './Cards.tsx'
import css from './Dashboard.module.css'
import { Definition } from './Definition.tsx'
import { finalized, noAgentId, reportBehind } from './drill.ts'
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
export function Attendants({ rows, asked }: { rows: Attendant[]; asked: Asked }) {
  const t = useWords(dashboardWords)
  const language = useLanguage()
  const [order, setOrder] = useState<Order>({ key: 'finalized', down: true })
  const nameOf = ({ id, name, removed }: Attendant) =>
    id === null ? t('noAgent') : name === null ? t('unknown', { id }) : removed ? t('removed', { name }) : name
  const aria = (key: Order['key']) => (order.key === key ? (order.down ? 'descending' : 'ascending') : undefined)
  const total = rows.reduce((sum, { tickets }) => sum + tickets, 0)
  return (
    <div className={css.section}>
      <h2>
        {t('attendants')} <Definition of="attendants" name={t('attendants')} />
        <Export asked={asked} />
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard scrolls it */}
      <section className={css.scrolls} tabIndex={0} aria-label={t('attendants')}>
        <table className={css.table} data-part="attendants" aria-label={t('attendants')}>
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
                    {key === 'finalized' && row.tickets > 0 ? (
                      <Behind to={reportBehind(asked, { ...finalized, users: [row.id ?? noAgentId] })}>
                        {write(value(row), language)}
                      </Behind>
                    ) : (
                      write(value(row), language)
                    )}
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

/** Saves the table as an Excel file (R-DASH-03). */
function Export({ asked: { from, to, filters } }: { asked: Asked }) {
  const t = useWords(dashboardWords)
  const act = useAsyncAction()
  const save = act(async () => {
    const file = await api.dashboard.attendants({ query: { ...daysOf(from, to), ...filters } }, { received: () => {} })
    saveFile(dashboard.attendants.file.name, file as Blob)
    toast(t('exported'))
  })
  return (
    <Button
      size="small"
      className={css.export!}
      icon={<ExportIcon />}
      text={t('export')}
      loading={act.pending}
      onClick={() => void save()}
    />
  )
}
