import { Button } from '@blueprintjs/core'
import { Cross, Plus } from '@blueprintjs/icons'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { most, pixKeys } from '#domain/interactive/rules.ts'
import { translate, useWords } from '#web/i18n.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { AreaField, Pair, TextField } from '#web/ui/fields.tsx'
import { kindOf, readied } from '#web/ui/files.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Fields.module.css'
import { KeyTypeField } from './KeyTypeField.tsx'
import { blankRow, blankSection, type Kind, type Typed } from './kinds.ts'
import { interactiveWords } from './words.ts'

const picture = async (file: File) => (kindOf(file) === 'image' ? readied(file) : translate(uiWords, 'fileKind', { name: file.name }))

/** The fields of each kind, in the order in which the customer reads them. */
export function Fields({ kind }: { kind: Kind }) {
  const t = useWords(interactiveWords)
  if (kind === 'pix')
    return (
      <>
        <TextField autoFocus name="title" label={t('heading')} />
        <Pair>
          <KeyTypeField name="sendkey_type" label={t('keyType')} kinds={pixKeys} />
          <TextField name="sendKey" label={t('key')} />
        </Pair>
        <TextField name="sendmerchant_name" label={t('merchant')} />
        <TextField name="sendvalue" label={t('amount')} optional placeholder="0,00" hint={t('amountHint')} />
      </>
    )
  return (
    <>
      {kind === 'url' && <FileField name="image" label={t('picture')} accept="image/*" ready={picture} />}
      <TextField autoFocus name="title" label={t('heading')} />
      <AreaField name="description" label={t('description')} optional />
      <TextField name="buttonText" label={t('buttonText')} />
      {kind === 'list' && <Sections />}
      {kind === 'url' && <TextField name="copyText" label={t('link')} placeholder="https://" />}
      {kind === 'copy' && <TextField name="copyText" label={t('copyText')} />}
      {kind === 'call' && <TextField name="copyText" type="tel" label={t('phone')} />}
    </>
  )
}

function Sections() {
  const t = useWords(interactiveWords)
  const { control } = useFormContext<Typed>()
  const { fields, append, remove } = useFieldArray({ control, name: 'sections' })
  const sections = useWatch({ control, name: 'sections' })
  const full = sections.reduce((sum, { rows }) => sum + rows.length, 0) >= most.rows
  return (
    <>
      {fields.map((section, at) => (
        <fieldset key={section.id} className={css.section}>
          {fields.length > 1 && (
            <>
              <legend>{t('section', { n: at + 1 })}</legend>
              <div className={css.line}>
                <TextField name={`sections.${at}.title`} label={t('sectionTitle')} />
                <Button
                  variant="minimal"
                  icon={<Cross />}
                  aria-label={t('dropSection', { n: at + 1 })}
                  title={t('dropSection', { n: at + 1 })}
                  onClick={() => remove(at)}
                />
              </div>
            </>
          )}
          <Rows at={at} first={sections.slice(0, at).reduce((sum, { rows }) => sum + rows.length, 0)} full={full} />
        </fieldset>
      ))}
      <div className={css.more}>
        <Button size="small" icon={<Plus />} text={t('addSection')} disabled={full} onClick={() => append(blankSection())} />
        {full && <small>{t('mostOptions', { n: most.rows })}</small>}
      </div>
    </>
  )
}

/** `first`: number of options in the sections before. */
function Rows({ at, first, full }: { at: number; first: number; full: boolean }) {
  const t = useWords(interactiveWords)
  const { control } = useFormContext<Typed>()
  const { fields, append, remove } = useFieldArray({ control, name: `sections.${at}.rows` })
  return (
    <>
      {fields.map((row, i) => {
        const n = first + i + 1
        return (
          <div key={row.id} className={css.line}>
            <Pair>
              <TextField name={`sections.${at}.rows.${i}.title`} label={t('option', { n })} />
              <TextField name={`sections.${at}.rows.${i}.description`} label={t('optionDescription', { n })} optional />
            </Pair>
            {fields.length > 1 && (
              <Button
                variant="minimal"
                icon={<Cross />}
                aria-label={t('dropOption', { n })}
                title={t('dropOption', { n })}
                onClick={() => remove(i)}
              />
            )}
          </div>
        )
      })}
      <Button size="small" variant="minimal" icon={<Plus />} text={t('addOption')} disabled={full} onClick={() => append(blankRow())} />
    </>
  )
}
