import { FormGroup, InputGroup } from '@blueprintjs/core'
import { useId } from 'react'
import type { Template } from '#domain/template/contract.ts'
import { begins, faultOf, part } from '#domain/template/rules.ts'
import { useWords } from '#web/i18n.ts'
import { Marked } from '#web/message/bubble/Written.tsx'
import { kindOf } from '#web/ui/files.ts'
import { useObjectUrl } from '#web/ui/objectUrl.ts'
import { Thumb } from '#web/ui/Thumb.tsx'
import { HeaderFile } from './HeaderFile.tsx'
import css from './Template.module.css'
import { categoryWords, templateWords } from './words.ts'

type Of = {
  template: Template
  values: readonly string[]
  file: File | null
  checked: boolean
  onFile: (file: File | null) => void
  onChange: (i: number, value: string) => void
}

/** The fields of a template beside the preview. */
export function TemplateFields({ template, values, file, checked, onFile, onChange }: Of) {
  const t = useWords(templateWords)
  const kind = begins(template)
  const tCategory = useWords(categoryWords)
  return (
    <div className={css.sides}>
      <div>
        <p className={css.name}>
          <b>{template.name}</b> <small>{template.language}</small>
        </p>
        {kind && <HeaderFile kind={kind} file={file} wrong={checked && !file} onChange={onFile} />}
        {template.fields.map((field, i) => (
          <Field
            key={`${field.at} ${field.button} ${field.name}`}
            field={field}
            value={values[i]!}
            wrong={checked ? faultOf(values[i]!) : null}
            first={i === 0 && !kind}
            onChange={(value) => onChange(i, value)}
          />
        ))}
        <p className={css.at}>{t('costs', { category: tCategory(template.category) })}</p>
      </div>
      <section className={css.paper} aria-label={t('preview')} data-part="template-preview">
        <h3>{t('preview')}</h3>
        <div className={css.bubble} dir="auto">
          {file && <Header file={file} />}
          {template.header !== '' && (
            <p>
              <b>{part(template, template.header, 'header', values)}</b>
            </p>
          )}
          <p>
            <Marked text={part(template, template.body, 'body', values)} />
          </p>
          {template.footer !== '' && <p className={css.footer}>{template.footer}</p>}
          {template.buttons.map((button, i) => (
            <p key={`${button.kind} ${button.text}`} className={css.button} title={part(template, button.value, 'button', values, i)}>
              {button.text}
            </p>
          ))}
        </div>
      </section>
    </div>
  )
}

/** The header: a picture is shown, other files by name. */
function Header({ file }: { file: File }) {
  const url = useObjectUrl(kindOf(file) === 'image' ? file : null)
  if (url) return <img src={url} alt={file.name} />
  return (
    <p className={css.named}>
      <Thumb file={file} /> {file.name}
    </p>
  )
}

function Field({
  field: { at, name, example },
  value,
  wrong,
  first,
  onChange,
}: {
  field: Template['fields'][number]
  value: string
  wrong: ReturnType<typeof faultOf>
  first: boolean
  onChange: (value: string) => void
}) {
  const t = useWords(templateWords)
  const id = useId()
  const hint = example === '' ? undefined : t('example', { example })
  return (
    <div data-part="template-field">
      <FormGroup
        label={t(at, { name })}
        labelFor={id}
        {...(wrong ? { intent: 'danger' as const, helperText: <span role="alert">{t(wrong)}</span> } : hint && { helperText: hint })}
      >
        <InputGroup
          id={id}
          dir="auto"
          maxLength={1000}
          autoComplete="off"
          autoFocus={first}
          value={value}
          aria-invalid={wrong !== null}
          {...(wrong && { intent: 'danger' })}
          onValueChange={onChange}
        />
      </FormGroup>
    </div>
  )
}
