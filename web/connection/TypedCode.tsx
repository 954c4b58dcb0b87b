import { FormGroup, InputGroup } from '@blueprintjs/core'
import { useId } from 'react'
import type { Connection } from '#domain/connection/contract.ts'
import { formattedNumber } from '#web/contact/phone.ts'
import { Copy } from '#web/history/Copy.tsx'
import { useLanguage, useWords } from '#web/i18n.ts'
import { clock } from '#web/ui/moment.ts'
import css from './Connections.module.css'
import { codeWords } from './code-words.ts'

/** A pairing code to type into the phone, in two halves as the phone shows it. */
export function TypedCode({ of: { number, code, until } }: { of: NonNullable<Connection['pairing']> }) {
  const t = useWords(codeWords)
  const language = useLanguage()
  if (code === null) return null
  const halves = `${code.slice(0, 4)}-${code.slice(4)}`
  return (
    <>
      <p>{t('typeSteps', { number: formattedNumber(number) })}</p>
      <Copy text={halves} label={t('copy')} className={css.typed}>
        <span data-part="typed-code">{halves}</span>
      </Copy>
      {until !== null && <p className={css.until}>{t('until', { at: clock(until, language) })}</p>}
    </>
  )
}

/** The phone number that the code is for. */
export function NumberField({ value, onChange, wrong }: { value: string; onChange: (value: string) => void; wrong: boolean }) {
  const t = useWords(codeWords)
  const id = useId()
  return (
    <FormGroup
      label={t('number')}
      labelFor={id}
      {...(wrong
        ? { intent: 'danger' as const, helperText: <span role="alert">{t('numberWrong')}</span> }
        : { helperText: t('numberHint') })}
    >
      <InputGroup
        id={id}
        type="tel"
        autoFocus
        autoComplete="tel"
        value={value}
        onValueChange={onChange}
        aria-invalid={wrong}
        {...(wrong && { intent: 'danger' })}
      />
    </FormGroup>
  )
}
