import { Button } from '@blueprintjs/core'
import { Cross, Plus } from '@blueprintjs/icons'
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form'
import { most, pixKeys } from '#domain/interactive/rules.ts'
import { say as sayNow, useWords } from '#web/i18n.ts'
import { FileField } from '#web/ui/FileField.tsx'
import { AreaField, Pair, TextField } from '#web/ui/fields.tsx'
import { kindOf, readied } from '#web/ui/files.ts'
import { uiWords } from '#web/ui/words.ts'
import css from './Fields.module.css'
import { KeyTypeField } from './KeyTypeField.tsx'
import { blankRow, blankSection, type Kind, type Typed } from './kinds.ts'
import { interactiveWords } from './words.ts'

const picture = async (file: File) => (kindOf(file) === 'image' ? readied(file) : sayNow(uiWords, 'fileKind', { name: file.name }))

/** What is asked for by each kind, in the order in which the customer reads it. */
export function Fields({ kind }: { kind: Kind }) {
  const say = useWords(interactiveWords)
  if (kind === 'pix')
    return (
      <>
        <TextField autoFocus name="title" label={say('heading')} />
        <Pair>
          <KeyTypeField name="sendkey_type" label={say('keyType')} kinds={pixKeys} />
          <TextField name="sendKey" label={say('key')} />
        </Pair>
        <TextField name="sendmerchant_name" label={say('merchant')} />
        <TextField name="sendvalue" label={say('amount')} optional placeholder="0,00" hint={say('amountHint')} />
      </>
    )
  return (
    <>
      {kind === 'url' && <FileField name="image" label={say('picture')} accept="image/*" ready={picture} />}
      <TextField autoFocus name="title" label={say('heading')} />
      <AreaField name="description" label={say('description')} optional />
      <TextField name="buttonText" label={say('buttonText')} />
      {kind === 'list' && <Sections />}
      {kind === 'url' && <TextField name="copyText" label={say('link')} placeholder="https://" />}
      {kind === 'copy' && <TextField name="copyText" label={say('copyText')} />}
      {kind === 'call' && <TextField name="copyText" type="tel" label={say('phone')} />}
    </>
  )
}

function Sections() {
  const say = useWords(interactiveWords)
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
              <legend>{say('section', { n: at + 1 })}</legend>
              <div className={css.line}>
                <TextField name={`sections.${at}.title`} label={say('sectionTitle')} />
                <Button
                  variant="minimal"
                  icon={<Cross />}
                  aria-label={say('dropSection', { n: at + 1 })}
                  title={say('dropSection', { n: at + 1 })}
                  onClick={() => remove(at)}
                />
              </div>
            </>
          )}
          <Rows at={at} first={sections.slice(0, at).reduce((sum, { rows }) => sum + rows.length, 0)} full={full} />
        </fieldset>
      ))}
      <div className={css.more}>
        <Button size="small" icon={<Plus />} text={say('addSection')} disabled={full} onClick={() => append(blankSection())} />
        {full && <small>{say('mostOptions', { n: most.rows })}</small>}
      </div>
    </>
  )
}

/** `first`: how many options stand in the sections before. */
function Rows({ at, first, full }: { at: number; first: number; full: boolean }) {
  const say = useWords(interactiveWords)
  const { control } = useFormContext<Typed>()
  const { fields, append, remove } = useFieldArray({ control, name: `sections.${at}.rows` })
  return (
    <>
      {fields.map((row, i) => {
        const n = first + i + 1
        return (
          <div key={row.id} className={css.line}>
            <Pair>
              <TextField name={`sections.${at}.rows.${i}.title`} label={say('option', { n })} />
              <TextField name={`sections.${at}.rows.${i}.description`} label={say('optionDescription', { n })} optional />
            </Pair>
            {fields.length > 1 && (
              <Button
                variant="minimal"
                icon={<Cross />}
                aria-label={say('dropOption', { n })}
                title={say('dropOption', { n })}
                onClick={() => remove(i)}
              />
            )}
          </div>
        )
      })}
      <Button size="small" variant="minimal" icon={<Plus />} text={say('addOption')} disabled={full} onClick={() => append(blankRow())} />
    </>
  )
}
