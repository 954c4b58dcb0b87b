import { Button, Checkbox } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { useState } from 'react'
import { pageSize } from '#domain/answers.ts'
import {
  type ImportField,
  type ImportTable,
  importFields,
  type RowState,
  rowStates,
  type TableRow,
} from '#domain/contact-import/contract.ts'
import { type ApiError, api } from '#web/api.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import { toast } from '#web/ui/toaster.ts'
import css from './ImportContacts.module.css'
import { importWords } from './words.ts'

type View = { pageNumber: number; state: RowState | '' }
type Page = { rows: TableRow[]; count: number }
const first: View = { pageNumber: 1, state: '' }
const isFirst = ({ pageNumber, state }: View) => pageNumber === 1 && state === ''

/** Pages of the rows, and the choice of those that are imported. The first page comes with the table. */
function useRowPages({ table, onTable, refused }: Pick<Props, 'table' | 'onTable' | 'refused'>) {
  const act = useAsyncAction()
  const [view, setView] = useState(first)
  const [found, setFound] = useState<(Page & { of: ImportTable }) | null>(null)
  const isCurrent = !isFirst(view) && found?.of === table
  const page: Page = isCurrent ? found : { rows: table.rows, count: table.total }
  const load = async (of: ImportTable, { pageNumber, state }: View) => {
    const query = { pageNumber, ...(state !== '' && { state }) }
    setFound({ of, ...(await api.contactImports.rows({ params: { id: of.id }, query })) })
  }
  const show = (to: View) =>
    void act(
      async () => {
        if (!isFirst(to)) await load(table, to)
        setView(to)
      },
      { refused },
    )()
  const choose = (isChosen: boolean, rowNumbers?: number[]) =>
    void act(
      async () => {
        const next = await api.contactImports.chooseRows({
          params: { id: table.id },
          body: { isChosen, ...(rowNumbers && { rowNumbers }) },
        })
        if (isCurrent) await load(next, view)
        onTable(next)
      },
      { refused },
    )()
  return { view: isCurrent ? view : first, page, show, choose, pending: act.pending }
}

type Props = {
  table: ImportTable
  existing: 'update' | 'keep'
  busy: boolean
  onFields: (fields: (ImportField | '')[]) => void
  onTable: (table: ImportTable) => void
  /** Handles the refusal of a table that the server does not keep any more. */
  refused: (refusal: ApiError) => boolean
}

/** The rows of a table below the field of each column, with what their import will do. */
export function ImportRows({ table, existing, busy: isBusy, onFields, onTable, refused }: Props) {
  const t = useWords(importWords)
  const { columns, counts, total } = table
  const { view, page, show, choose, pending } = useRowPages({ table, onTable, refused })
  const busy = isBusy || pending
  const leftOut = counts?.leftOut ?? 0
  return (
    <>
      {counts && <Pager view={view} count={page.count} busy={busy} onShow={show} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard */}
      <section className={css.scroll} aria-label={t('columns')} tabIndex={0}>
        <table className={css.columns}>
          <thead>
            <tr>
              {counts && (
                <th scope="col">
                  <Checkbox
                    className={css.choice ?? ''}
                    aria-label={t('allRows', { n: total })}
                    checked={leftOut === 0}
                    indeterminate={leftOut > 0 && leftOut < total}
                    disabled={busy}
                    onChange={() => choose(leftOut > 0)}
                  />
                </th>
              )}
              <th scope="col">{t('row')}</th>
              {counts && <th scope="col">{t('effect')}</th>}
              <Fields columns={columns} busy={busy} onFields={onFields} />
            </tr>
          </thead>
          <tbody>
            {page.rows.map((row) => (
              <tr key={row.row} data-part="import-row">
                {counts && (
                  <td>
                    <Checkbox
                      className={css.choice ?? ''}
                      aria-label={t('importRow', { n: row.row })}
                      checked={row.state !== 'leftOut'}
                      disabled={busy}
                      onChange={() => choose(row.state === 'leftOut', [row.row])}
                    />
                  </td>
                )}
                <td className="nums">{row.row}</td>
                {counts && (
                  <td className={css.effect}>
                    <Effect {...row} existing={existing} />
                  </td>
                )}
                {columns.map((_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                  <td key={at} title={row.cells[at]}>
                    {row.cells[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

const severalColumns: ReadonlySet<ImportField> = new Set(['name', 'extra'])
type FieldsProps = Pick<ImportTable, 'columns'> & Pick<Props, 'busy' | 'onFields'>
/** The field of each column. Only the name and extra fields may have several (R-CIMPORT-02). */
function Fields({ columns, busy, onFields }: FieldsProps) {
  const t = useWords(importWords)
  const titleOf = (at: number) => columns[at]!.title || t('column', { n: at + 1 })
  const offered = (at: number) => importFields.filter((field) => field !== 'extra' || columns[at]!.title !== '')
  const choose = (at: number, field: ImportField | '') => {
    if (field !== '' && !severalColumns.has(field) && columns.some((column, other) => other !== at && column.field === field))
      return toast(t('fieldTwice', { name: t(field) }), 'warning')
    return onFields(columns.map((column, other) => (other === at ? field : column.field)))
  }
  return columns.map(({ field }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
    <th key={at} scope="col">
      <span>{titleOf(at)}</span>
      <HTMLSelect
        aria-label={t('fieldOf', { name: titleOf(at) })}
        value={field}
        disabled={busy}
        onChange={({ target }) => choose(at, target.value as ImportField | '')}
        options={[{ value: '', label: t('none') }, ...offered(at).map((value) => ({ value, label: t(value) }))]}
      />
    </th>
  ))
}

/** What the import of a row does, or why it does nothing. */
function Effect({ state, code, changes, existing }: TableRow & Pick<Props, 'existing'>) {
  const t = useWords(importWords)
  const tError = useWords(errorWords)
  if (state === null) return null
  if (state === 'ignored') return code !== null && code in errorWords ? tError(code as keyof typeof errorWords) : code
  if (state === 'updated' && existing === 'keep') return t('stateKept')
  return (
    <>
      {t(`state${state}`)}
      {changes.length > 0 && (
        <ul>
          {changes.map(({ field, name, before, after }) => (
            <li key={`${field} ${name} ${after}`}>
              {name || t(field)}: {before !== '' && <del>{before}</del>} <ins>{field === 'tags' ? `+ ${after}` : after}</ins>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Pager({ view, count, busy, onShow }: { view: View; count: number; busy: boolean; onShow: (to: View) => void }) {
  const t = useWords(importWords)
  const { pageNumber, state } = view
  const start = (pageNumber - 1) * pageSize
  return (
    <div className={css.options}>
      <HTMLSelect
        aria-label={t('show')}
        value={state}
        disabled={busy}
        options={[{ value: '', label: t('showAll') }, ...rowStates.map((value) => ({ value, label: t(`show${value}`) }))]}
        onChange={({ target }) => onShow({ pageNumber: 1, state: target.value as RowState | '' })}
      />
      <span className={css.pages}>
        <Button
          variant="minimal"
          icon={<ChevronLeft />}
          aria-label={t('previousRows')}
          disabled={busy || pageNumber === 1}
          onClick={() => onShow({ state, pageNumber: pageNumber - 1 })}
        />
        <span className="nums" data-part="import-page">
          {t('rowsOf', { from: Math.min(start + 1, count), to: Math.min(start + pageSize, count), n: count })}
        </span>
        <Button
          variant="minimal"
          icon={<ChevronRight />}
          aria-label={t('nextRows')}
          disabled={busy || start + pageSize >= count}
          onClick={() => onShow({ state, pageNumber: pageNumber + 1 })}
        />
      </span>
    </div>
  )
}
