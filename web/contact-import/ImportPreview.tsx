import { Callout, Radio, RadioGroup, Switch } from '@blueprintjs/core'
import { extraName, fieldNamed } from '#domain/contact-field/rules.ts'
import {
  type Encoding,
  encodings,
  type ImportField,
  type ImportTable,
  type Separator,
  separators,
} from '#domain/contact-import/contract.ts'
import type { ApiError } from '#web/api.ts'
import { useContactFields } from '#web/contact/fields.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import { HTMLSelect } from '#web/ui/HTMLSelect.tsx'
import css from './ImportContacts.module.css'
import { ImportRows } from './ImportRows.tsx'
import { importWords } from './words.ts'

export type ReadOptions = { header?: 'true' | 'false'; encoding?: Encoding; separator?: Separator }
type Props = {
  table: ImportTable
  /** The first rows with a quotation mark that is not closed. */
  openQuotes: number[]
  existing: 'update' | 'keep'
  /** Whether the network is asked for each new number. */
  validates: boolean
  busy: boolean
  onExisting: (to: 'update' | 'keep') => void
  onValidates: (to: boolean) => void
  onFields: (fields: (ImportField | '')[]) => void
  onTable: (table: ImportTable) => void
  /** Handles the refusal of a table that the server does not keep any more. */
  refused: (refusal: ApiError) => boolean
  onRead: (options: ReadOptions) => void
}
const separatorNames = { ';': 'semicolon', ',': 'comma', '\t': 'tab', '|': 'pipe' } as const

export function ImportPreview(props: Props) {
  const { table, openQuotes, existing, validates, busy, onExisting, onValidates, onFields, onTable, refused, onRead } = props
  const t = useWords(importWords)
  const tError = useWords(errorWords)
  const { accented, columns, counts, errors, hasHeader, encoding, separator, total } = table
  const options: ReadOptions = {
    header: hasHeader ? 'true' : 'false',
    ...(encoding && { encoding }),
    ...(separator && { separator }),
  }
  const fields = columns.map((column) => column.field)
  const typed = useContactFields()
  const hasDates = columns.some(({ title, field }) => field === 'extra' && fieldNamed(typed, extraName(title))?.kind === 'date')
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
      {openQuotes.length > 0 && <OpenQuotes rows={openQuotes} />}
      {fields.filter((field) => field === 'name').length > 1 && <p>{t('joinedName')}</p>}
      {hasDates && <p data-part="import-dates">{t('dayFirst')}</p>}
      <ImportRows key={table.id} table={table} existing={existing} busy={busy} onFields={onFields} onTable={onTable} refused={refused} />
      <p role="status">{missing ? tError(missing) : counts && <Counts counts={counts} existing={existing} />}</p>
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
      <Switch checked={validates} label={t('validateContact')} onChange={({ currentTarget }) => onValidates(currentTarget.checked)} />
    </section>
  )
}

const shownQuotes = 10
function OpenQuotes({ rows }: { rows: number[] }) {
  const t = useWords(importWords)
  const shown = rows.slice(0, shownQuotes).join(', ')
  return (
    <Callout compact intent="warning" role="status" data-part="import-quotes">
      {t('openQuotes', { n: rows.length, rows: rows.length > shownQuotes ? `${shown}…` : shown })}
    </Callout>
  )
}

/** What the import will do; with `keep`, contacts that exist are not updated. */
function Counts({ counts, existing }: { counts: NonNullable<ImportTable['counts']>; existing: 'update' | 'keep' }) {
  const t = useWords(importWords)
  const { created, updated, unchanged, ignored, leftOut } = counts
  const isKept = existing === 'keep'
  const shown = { created, ignored, leftOut, updated: isKept ? 0 : updated, unchanged: isKept ? unchanged + updated : unchanged }
  return (
    <>
      {created + updated + unchanged === 0 && <strong>{t('nothing')} </strong>}
      {t('checked', shown)}
    </>
  )
}
