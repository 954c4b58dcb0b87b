import { Button } from '@blueprintjs/core'
import { type FormEvent, useRef, useState } from 'react'
import { isWeak } from '#domain/session/rules.ts'
import { type Translate, useWords } from '#web/i18n.ts'
import { failure } from '#web/ui/toaster.ts'
import { isOver, type Link } from './Linked.tsx'
import outside from './Outside.module.css'
import { PasswordInput, Problem } from './Outside.tsx'
import { loginWords } from './words.ts'

function passwordProblem(t: Translate<keyof typeof loginWords>, password: string, length: { min: number; max: number }): string | null {
  const letters = [...password].length
  if (letters < length.min) return t('tooShort', length)
  if (letters > length.max) return t('passwordRule', length)
  return isWeak(password) ? t('passwordWeak') : null
}

/**
 * A user with a mailed link chooses a password. `twice`: it is typed twice; `onExpired`: the link is no longer
 * valid.
 */
export function ChoosePassword({
  link,
  lead,
  length: { min, max },
  verb,
  twice = false,
  onSave,
  onExpired,
}: {
  link: Link
  lead: string
  length: { min: number; max: number }
  verb: string
  twice?: boolean
  onSave: (password: string) => Promise<void>
  onExpired: () => void
}) {
  const t = useWords(loginWords)
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ of: 'password' | 'again'; text: string } | null>(null)
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const length = { min: Math.max(min, link.minLength), max }
  const rule = t('passwordRule', length)
  const wrong = (of: 'password' | 'again', text: string) => {
    setProblem({ of, text })
    ;(of === 'password' ? first : second).current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const text = passwordProblem(t, password, length)
    if (text !== null) return wrong('password', text)
    if (twice && password !== again) return wrong('again', t('differ'))
    setBusy(true)
    setProblem(null)
    try {
      await onSave(password)
    } catch (error) {
      setBusy(false)
      if (isOver(error)) onExpired()
      else wrong('password', failure(error))
    }
  }
  return (
    <>
      <p className={outside.lead}>{lead}</p>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <input type="email" name="email" autoComplete="username" value={link.email} readOnly hidden />
        <PasswordInput
          id="new-password"
          label={t('newPassword')}
          autoComplete="new-password"
          autoFocus
          value={password}
          onChange={setPassword}
          inputRef={first}
          wrong={problem?.of === 'password'}
          below={<span id="password-rule">{rule}</span>}
          belowId="password-rule"
        />
        {twice && (
          <PasswordInput
            id="confirm-password"
            label={t('confirm')}
            autoComplete="new-password"
            value={again}
            onChange={setAgain}
            inputRef={second}
            wrong={problem?.of === 'again'}
          />
        )}
        <Problem text={problem?.text ?? null} />
        <Button type="submit" intent="primary" size="large" fill text={verb} loading={busy} />
      </form>
    </>
  )
}
