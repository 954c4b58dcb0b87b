import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { EyeOff, EyeOpen } from '@blueprintjs/icons'
import { type ReactNode, type Ref, useEffect, useState } from 'react'
import { useWords } from '#web/i18n.ts'
import { LanguageMenu, ThemeSwitch } from '#web/shell/Choices.tsx'
import { Mark } from '#web/shell/Mark.tsx'
import css from './Outside.module.css'
import { loginWords } from './words.ts'

/** The frame of pages without a session: language, theme and one card. */
export function Outside({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <div className={css.login}>
      <header className={css.tools}>
        <LanguageMenu />
        <ThemeSwitch />
      </header>
      <main className={css.card}>
        <Mark size={48} />
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
}

/** The reason of a failure; screen readers announce it. */
export const Problem = ({ text }: { text: string | null }) =>
  text && (
    <p className={css.problem} role="alert">
      {text}
    </p>
  )

type Of = {
  id: string
  label: string
  autoComplete: 'current-password' | 'new-password'
  autoFocus?: boolean
  value: string
  onChange: (text: string) => void
  inputRef: Ref<HTMLInputElement>
  wrong: boolean
  /** The error of the field or its rule. */
  below?: ReactNode
  belowId?: string
  danger?: boolean
}
/** A password field whose text can be shown. */
export function PasswordInput({
  id,
  label,
  autoComplete,
  autoFocus = false,
  value,
  onChange,
  inputRef,
  wrong,
  below,
  belowId,
  danger,
}: Of) {
  const t = useWords(loginWords)
  const [seen, setSeen] = useState(false)
  return (
    <FormGroup label={label} labelFor={id} {...(danger && { intent: 'danger' })} {...(below && { helperText: below })}>
      <InputGroup
        id={id}
        name="password"
        size="large"
        inputRef={inputRef}
        type={seen ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoFocus={autoFocus}
        required
        aria-invalid={wrong}
        {...(belowId && { 'aria-describedby': belowId })}
        value={value}
        onValueChange={onChange}
        rightElement={
          <Button
            variant="minimal"
            icon={seen ? <EyeOff /> : <EyeOpen />}
            aria-label={t(seen ? 'hide' : 'show')}
            aria-pressed={seen}
            onClick={() => setSeen(!seen)}
          />
        }
      />
    </FormGroup>
  )
}
