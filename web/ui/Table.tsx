import { Button } from '@blueprintjs/core'
import { type Atom, useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, memo, type ReactNode, useRef } from 'react'
import { useWords } from '#web/i18n.ts'
import type { Collection } from '#web/live.ts'
import { usePlace } from './drag.ts'
import { More } from './More.tsx'
import { OrderHandle } from './OrderHandle.tsx'
import { moveTo, type RowOrder } from './row-order.ts'
import css from './Table.module.css'
import { uiWords } from './words.ts'

/** `wide`: hidden on narrow screens. */
export type Column<R> = {
  title: string
  cell: (row: R) => ReactNode
  wide?: true
  num?: true
  /** The main column, which gets the most room. */
  reads?: true
  /** Shown in full, on as many lines as it needs. */
  whole?: true
  /** Shown only on very wide screens. */
  roomy?: true
  /** Contains buttons: a click there does not open the row. */
  acts?: true
}

/** Rows of a live list; each row renders alone. Arrow keys move, Enter opens, Delete asks for confirmation. */
export function Table<R extends { id: number }>(of: {
  list: Collection<R>
  columns: Column<R>[]
  label: string
  onOpen?: (row: R) => void
  onRemove?: (row: R) => void
  actions?: (row: R) => ReactNode
  /** The order that a user sets by hand; null: none. */
  order?: RowOrder | null
  /** Names a row for its handle. */
  named?: (row: R) => string
}) {
  const t = useWords(uiWords)
  const ids = useAtomValue(of.list.ids)
  return (
    <div className={css.room}>
      <Hidden list={of.list} />
      <table className={css.table} data-part="table" aria-label={of.label} onKeyDown={walk}>
        <thead>
          <tr>
            {of.columns.map(({ title, acts: _, ...column }) => (
              <th key={title} scope="col" className={place(column)}>
                {title}
              </th>
            ))}
            {of.actions && (
              <th scope="col" className={css.actions}>
                <span className="hidden-but-read">{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {ids.map((id) => (
            <Row
              key={id}
              row={of.list.row(id) as Atom<R>}
              columns={of.columns}
              onOpen={of.onOpen}
              onRemove={of.onRemove}
              actions={of.actions}
              ids={ids}
              order={of.order ?? null}
              named={of.named}
            />
          ))}
        </tbody>
      </table>
      <More list={of.list} />
    </div>
  )
}

/** Live updates brought more rows than the list shows; loading it again puts them at their place. */
function Hidden<R>({ list }: { list: Collection<R> }) {
  const t = useWords(uiWords)
  const n = useAtomValue(list.hidden)
  const reload = useSetAtom(list.reload)
  if (n === 0) return null
  return (
    <p className={css.hidden} role="status">
      {t('hiddenRows', { n })} <Button size="small" variant="minimal" text={t('showHidden')} onClick={() => void reload()} />
    </p>
  )
}

type RowOf<R> = { row: Atom<R>; columns: Column<R>[] } & Record<'onOpen' | 'onRemove', ((row: R) => void) | undefined> & {
    actions: ((row: R) => ReactNode) | undefined
    ids: readonly number[]
    order: RowOrder | null
    named: ((row: R) => string) | undefined
  }
function PlainRow<R extends { id: number }>({ row: atom, columns, onOpen, onRemove, actions, ids, order, named }: RowOf<R>) {
  const row = useAtomValue(atom)
  const box = useRef<HTMLTableRowElement>(null)
  const over = usePlace<'top' | 'bottom'>(box, {
    edges: 'rows',
    takes: ({ kind, id }) => kind === order?.kind && id !== row.id,
    put: ({ id }, where) => void order?.onMove(moveTo(ids, Number(id), row.id, where)),
  })
  const handleKeyDown = ({ key, target, currentTarget }: KeyboardEvent<HTMLElement>) => {
    if (target !== currentTarget) return
    if (key === 'Enter') onOpen?.(row)
    if (key === 'Delete') onRemove?.(row)
  }
  return (
    <tr
      ref={box}
      data-over={over ?? undefined}
      tabIndex={0}
      className={onOpen ? css.opens : undefined}
      onClick={() => onOpen?.(row)}
      onKeyDown={handleKeyDown}
    >
      {columns.map(({ title, cell, ...column }) => (
        <td key={title} className={place(column)} {...(column.acts && { onClick: (event) => event.stopPropagation() })}>
          {cell(row)}
        </td>
      ))}
      {actions && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps a click on a button from opening the row
        <td className={css.actions} onClick={(event) => event.stopPropagation()}>
          {order && <OrderHandle id={row.id} name={named?.(row) ?? ''} ids={ids} order={order} />}
          {actions(row)}
        </td>
      )}
    </tr>
  )
}
const Row = memo(PlainRow) as typeof PlainRow

type Places = Omit<Column<never>, 'title' | 'cell'>
const place = ({ wide, num, reads, whole, roomy, acts }: Places) =>
  [wide && css.wide, num && css.num, reads && css.reads, whole && css.whole, roomy && css.roomy, acts && css.acts]
    .filter(Boolean)
    .join(' ') || undefined

function walk(event: KeyboardEvent): void {
  const row = (event.target as HTMLElement).closest('tr')
  const to = event.key === 'ArrowDown' ? row?.nextElementSibling : event.key === 'ArrowUp' ? row?.previousElementSibling : null
  if (!(to instanceof HTMLElement)) return
  event.preventDefault()
  to.focus()
}
