import { Button, FormGroup, InputGroup, Switch } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { type FormEvent, useRef, useState } from 'react'
import { Link, Redirect, useLocation, useSearchParams } from 'wouter'
import { ApiError, Offline } from '#web/api.ts'
import { language, useWords } from '#web/i18n.ts'
import { daysLeft, endedAtom, sessionAtom, signIn } from '#web/session.ts'
import { calendarDay } from '#web/ui/moment.ts'
import { failure, toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { Demo } from './Demo.tsx'
import outside from './Outside.module.css'
import { Outside, PasswordInput, Problem } from './Outside.tsx'
import { returnAddress } from './returnAddress.ts'
import { Support } from './Support.tsx'
import { loginWords } from './words.ts'

type Draft = { email: string; password: string; remember: boolean }

export function Login() {
  const t = useWords(loginWords)
  const tUi = useWords(uiWords)
  const [, go] = useLocation()
  const [query] = useSearchParams()
  const inside = useAtomValue(sessionAtom) === 'in'
  const ended = useAtomValue(endedAtom)
  const [draft, setDraft] = useState<Draft>(() => ({
    email: (ended && sessionStorage.getItem('endedFor')) ?? '',
    password: '',
    remember: true,
  }))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [missing, setMissing] = useState<'email' | 'password' | null>(null)
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const wanted = returnAddress(query.get('to'), location.origin)
  if (inside && !busy) return <Redirect to={wanted} replace />

  const enter = async (as: Draft) => {
    setBusy(true)
    setProblem(null)
    try {
      const left = daysLeft(await signIn(as))
      go(wanted, { replace: true })
      if (left !== null && left >= 0 && left < 5)
        toast(left === 0 ? t('dueToday') : left === 1 ? t('dueTomorrow') : t('dueSoon', { days: left }), 'warning')
    } catch (error) {
      setProblem(failureOf(error, t))
      if (!(error instanceof Offline)) password.current?.select()
    }
    setBusy(false)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const lacks = draft.email.trim() === '' ? 'email' : draft.password === '' ? 'password' : null
    setMissing(lacks)
    if (lacks === null) return void enter(draft)
    setProblem(null)
    ;(lacks === 'email' ? email : password).current?.focus()
  }
  return (
    <Outside title={t('title')}>
      <p className={outside.lead}>{t('lead')}</p>
      {ended && !problem && <p className={outside.notice}>{t(ended === 'elsewhere' ? 'elsewhere' : 'ended')}</p>}
      <form onSubmit={handleSubmit} noValidate>
        <FormGroup
          label={t('email')}
          labelFor="email"
          {...(missing === 'email' && { intent: 'danger' as const, helperText: <span role="alert">{tUi('required')}</span> })}
        >
          <InputGroup
            id="email"
            aria-invalid={missing === 'email'}
            type="email"
            name="email"
            size="large"
            autoComplete="username"
            autoFocus={draft.email === ''}
            required
            value={draft.email}
            inputRef={email}
            onValueChange={(text) => setDraft({ ...draft, email: text })}
          />
        </FormGroup>
        <PasswordInput
          id="password"
          label={t('password')}
          autoComplete="current-password"
          autoFocus={draft.email !== ''}
          value={draft.password}
          onChange={(text) => setDraft({ ...draft, password: text })}
          inputRef={password}
          wrong={missing === 'password'}
          danger={missing === 'password'}
          below={missing === 'password' && <span role="alert">{tUi('required')}</span>}
        />
        <Problem text={problem} />
        <Switch
          label={t('remember')}
          checked={draft.remember}
          onChange={({ currentTarget }) => setDraft({ ...draft, remember: currentTarget.checked })}
        />
        <Button type="submit" intent="primary" size="large" fill text={t('enter')} loading={busy} />
      </form>
      <OtherWays />
      <Demo busy={busy} onChoose={({ email, password: known }) => void enter({ email, password: known, remember: draft.remember })} />
    </Outside>
  )
}

function OtherWays() {
  const t = useWords(loginWords)
  return (
    <>
      <Link href="/forgot-password" className={outside.way}>
        {t('forgotLink')}
      </Link>
      <Support />
    </>
  )
}

function failureOf(error: unknown, t: ReturnType<typeof useWords<keyof typeof loginWords>>): string {
  if (!(error instanceof ApiError)) return failure(error)
  if (error.code === 'ERR_INVALID_CREDENTIALS' && error.status === 401) return t('wrong')
  const { retryAfter, dueDate: due } = error.detail
  if (error.code === 'ERR_INVALID_CREDENTIALS' && typeof retryAfter === 'number')
    return retryAfter > 90 ? t('pausedMinutes', { n: Math.ceil(retryAfter / 60) }) : t('pausedSeconds', { n: retryAfter })
  if (error.code === 'ERR_SUBSCRIPTION_EXPIRED' && typeof due === 'string') return t('expired', { date: calendarDay(due, language()) })
  return failure(error)
}
