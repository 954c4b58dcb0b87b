import { HTMLSelect, Radio, RadioGroup, Switch } from '@blueprintjs/core'
import {
  type Encoding,
  encodings,
  type ImportField,
  type ImportTable,
  importFields,
  type Separator,
  separators,
} from '#domain/contact-import/contract.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import css from './ImportContacts.module.css'
import { importWords } from './words.ts'

export type ReadOptions = { header?: 'true' | 'false'; encoding?: Encoding; separator?: Separator }
type Props = {
  table: ImportTable
  existing: 'update' | 'keep'
  busy: boolean
  onExisting: (to: 'update' | 'keep') => void
  onFields: (fields: (ImportField | '')[]) => void
  onRead: (options: ReadOptions) => void
}
const separatorNames = { ';': 'semicolon', ',': 'comma', '\t': 'tab', '|': 'pipe' } as const

export function ImportPreview({ table, existing, busy, onExisting, onFields, onRead }: Props) {
  const t = useWords(importWords)
  const tError = useWords(errorWords)
  const { accented, columns, counts, errors, hasHeader, encoding, separator, total } = table
  const options: ReadOptions = {
    header: hasHeader ? 'true' : 'false',
    ...(encoding && { encoding }),
    ...(separator && { separator }),
  }
  const fields = columns.map((column) => column.field)
  const missing = !fields.includes('number') ? 'ERR_IMPORT_NUMBER_FIELD' : !fields.includes('name') ? 'ERR_IMPORT_NAME_FIELD' : null
  return (
    <section className={css.preview}>
      <div className={css.options}>
        <span>{t('rows', { n: total })}</span>
        <Switch
          checked={hasHeader}
          disabled={busy}
          label={t('header')}
          onChange={() => onRead({ ...options, header: hasHeader ? 'false' : 'true' })}
        />
        {encoding && (
          <HTMLSelect
            aria-label={t('encoding')}
            value={encoding}
            disabled={busy}
            options={encodings.map((value) => ({ value, label: value.toUpperCase() }))}
            onChange={({ target }) => onRead({ ...options, encoding: target.value as Encoding })}
          />
        )}
        {separator && (
          <HTMLSelect
            aria-label={t('separator')}
            value={separator}
            disabled={busy}
            options={separators.map((value) => ({ value, label: t(separatorNames[value]) }))}
            onChange={({ target }) => onRead({ ...options, separator: target.value as Separator })}
          />
        )}
      </div>
      {accented.length > 0 && <p data-part="import-accents">{t('accented', { texts: accented.map((text) => `“${text}”`).join(', ') })}</p>}
      <Columns table={table} busy={busy} onFields={onFields} />
      <p role="status">{missing ? tError(missing) : counts && t('checked', counts)}</p>
      {errors && errors.length > 0 && (
        <details className={css.errors}>
          <summary>{t('wrong')}</summary>
          <ul>
            {errors.map(({ row, code }) => (
              <li key={row}>
                <span className="nums">
                  {t('row')} {row}:
                </span>{' '}
                {code in errorWords ? tError(code as keyof typeof errorWords) : code}
              </li>
            ))}
          </ul>
        </details>
      )}
      <RadioGroup
        label={t('existing')}
        selectedValue={existing}
        onChange={({ currentTarget }) => onExisting(currentTarget.value as 'update' | 'keep')}
      >
        <Radio value="update" label={t('update')} />
        <Radio value="keep" label={t('keep')} />
      </RadioGroup>
    </section>
  )
}

/** The first rows below the field of each column. A field that is chosen again leaves its previous column. */
function Columns({ table: { columns, rows }, busy, onFields }: Pick<Props, 'table' | 'busy' | 'onFields'>) {
  const t = useWords(importWords)
  const titleOf = (at: number) => columns[at]!.title || t('column', { n: at + 1 })
  const choose = (at: number, field: ImportField | '') =>
    onFields(columns.map((column, other) => (other === at ? field : column.field === field ? '' : column.field)))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard
    <section className={css.scroll} aria-label={t('columns')} tabIndex={0}>
      <table className={css.columns}>
        <thead>
          <tr>
            <th scope="col">{t('row')}</th>
            {columns.map(({ field }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              <th key={at} scope="col">
                <span>{titleOf(at)}</span>
                <HTMLSelect
                  aria-label={t('fieldOf', { name: titleOf(at) })}
                  value={field}
                  disabled={busy}
                  onChange={({ target }) => choose(at, target.value as ImportField | '')}
                  options={[{ value: '', label: t('none') }, ...importFields.map((value) => ({ value, label: t(value) }))]}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, cells }) => (
            <tr key={row}>
              <td className="nums">{row}</td>
              {columns.map((_, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                <td key={at} title={cells[at]}>
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
