import { Button } from '@blueprintjs/core'
import { ArrowUp, Plus, Trash } from '@blueprintjs/icons'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { useWords } from '#web/i18n.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { useLabel } from '#web/ui/fieldLabels.ts'
import { TextField } from '#web/ui/fields.tsx'
import css from './FileLists.module.css'
import { accepted, fitting } from './fitting.ts'
import { fileListWords } from './words.ts'

/** The files of a list in sending order. */
export function Entries() {
  const t = useWords(fileListWords)
  const { fields, append, remove, swap } = useFieldArray({ name: 'options', keyName: 'key' })
  useLabel('options', t('files'))
  const { getValues, setValue } = useFormContext()
  /** An entry without a name gets the name of its file. */
  async function named(file: File, at: number): Promise<File | string> {
    const ready = await fitting(file)
    const name = `options.${at}.name`
    const fresh = ready instanceof File && getValues(name) === ''
    if (fresh) setValue(name, file.name.replace(/\.\w+$/, '').slice(0, 255), { shouldDirty: true, shouldValidate: true })
    return ready
  }
  return (
    <fieldset className={css.entries}>
      <legend>{t('files')}</legend>
      <p className={css.hint}>{t('filesHint')}</p>
      {fields.map(({ key }, at) => (
        <div key={key} className={css.entry} data-part="file-entry">
          <div className={css.head}>
            <TextField name={`options.${at}.name`} label={t('entry', { n: at + 1 })} />
            <Button
              variant="minimal"
              icon={<ArrowUp />}
              aria-label={t('entryUp', { n: at + 1 })}
              disabled={at === 0}
              onClick={() => swap(at, at - 1)}
            />
            <Button variant="minimal" icon={<Trash />} aria-label={t('removeEntry', { n: at + 1 })} onClick={() => remove(at)} />
          </div>
          <FileField name={`options.${at}.file`} label={t('file', { n: at + 1 })} accept={accepted} ready={(file) => named(file, at)} />
        </div>
      ))}
      {fields.length < 30 && <Button icon={<Plus />} text={t('addEntry')} onClick={() => append({ id: null, name: '', file: null })} />}
    </fieldset>
  )
}
