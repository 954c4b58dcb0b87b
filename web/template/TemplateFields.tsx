import { FormGroup, InputGroup } from '@blueprintjs/core'
import { useId } from 'react'
import type { Template } from '#domain/template/contract.ts'
import { part, takes } from '#domain/template/rules.ts'
import { useWords } from '#web/i18n.ts'
import { Marked } from '#web/message/bubble/Written.tsx'
import css from './Template.module.css'
import { categoryWords, templateWords } from './words.ts'

type Of = { template: Template; values: readonly string[]; checked: boolean; onChange: (i: number, value: string) => void }

/** The fields of a template, and beside them what becomes of it. */
export function TemplateFields({ template, values, checked, onChange }: Of) {
  const say = useWords(templateWords)
  const sayCategory = useWords(categoryWords)
  return (
    <div className={css.sides}>
      <div>
        <p className={css.name}>
          <b>{template.name}</b> <small>{template.language}</small>
        </p>
        {template.fields.map((field, i) => (
          <Field
            key={`${field.at} ${field.button} ${field.name}`}
            field={field}
            value={values[i]!}
            wrong={checked && !takes(values[i]!)}
            first={i === 0}
            onChange={(value) => onChange(i, value)}
          />
        ))}
        <p className={css.at}>{say('costs', { category: sayCategory(template.category) })}</p>
      </div>
      <section className={css.paper} aria-label={say('preview')} data-part="template-preview">
        <h3>{say('preview')}</h3>
        <div className={css.bubble} dir="auto">
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

function Field({
  field: { at, name, example },
  value,
  wrong,
  first,
  onChange,
}: {
  field: Template['fields'][number]
  value: string
  wrong: boolean
  first: boolean
  onChange: (value: string) => void
}) {
  const say = useWords(templateWords)
  const id = useId()
  const hint = example === '' ? undefined : say('example', { example })
  return (
    <div data-part="template-field">
      <FormGroup
        label={say(at, { name })}
        labelFor={id}
        {...(wrong ? { intent: 'danger' as const, helperText: <span role="alert">{say('needed')}</span> } : hint && { helperText: hint })}
      >
        <InputGroup
          id={id}
          dir="auto"
          maxLength={1000}
          autoComplete="off"
          autoFocus={first}
          value={value}
          aria-invalid={wrong}
          {...(wrong && { intent: 'danger' })}
          onValueChange={onChange}
        />
      </FormGroup>
    </div>
  )
}
