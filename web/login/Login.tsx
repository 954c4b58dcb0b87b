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
import { loginWords } from './words.ts'

type Draft = { email: string; password: string; remember: boolean }

export function Login() {
  const say = useWords(loginWords)
  const sayUi = useWords(uiWords)
  const [, go] = useLocation()
  const [query] = useSearchParams()
  const inside = useAtomValue(sessionAtom) === 'in'
  const ended = useAtomValue(endedAtom)
  const [draft, write] = useState<Draft>(() => ({
    email: (ended && sessionStorage.getItem('endedFor')) ?? '',
    password: '',
    remember: true,
  }))
  const [busy, work] = useState(false)
  const [problem, tell] = useState<string | null>(null)
  const [missing, miss] = useState<'email' | 'password' | null>(null)
  const email = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const wanted = returnAddress(query.get('to'), location.origin)
  if (inside && !busy) return <Redirect to={wanted} replace />

  const enter = async (as: Draft) => {
    work(true)
    tell(null)
    try {
      const left = daysLeft(await signIn(as))
      go(wanted, { replace: true })
      if (left !== null && left >= 0 && left < 5)
        toast(left === 0 ? say('dueToday') : left === 1 ? say('dueTomorrow') : say('dueSoon', { days: left }), 'warning')
    } catch (error) {
      tell(failureOf(error, say))
      if (!(error instanceof Offline)) password.current?.select()
    }
    work(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const lacks = draft.email.trim() === '' ? 'email' : draft.password === '' ? 'password' : null
    miss(lacks)
    if (lacks === null) return void enter(draft)
    tell(null)
    ;(lacks === 'email' ? email : password).current?.focus()
  }
  return (
    <Outside title={say('title')}>
      <p className={outside.lead}>{say('lead')}</p>
      {ended && !problem && <p className={outside.notice}>{say(ended === 'elsewhere' ? 'elsewhere' : 'ended')}</p>}
      <form onSubmit={submit} noValidate>
        <FormGroup
          label={say('email')}
          labelFor="email"
          {...(missing === 'email' && { intent: 'danger' as const, helperText: <span role="alert">{sayUi('required')}</span> })}
        >
          <InputGroup
            id="email"
            aria-invalid={missing === 'email'}
            type="email"
            name="email"
            size="large"
            autoComplete="username"
            autoFocus
            required
            value={draft.email}
            inputRef={email}
            onValueChange={(text) => write({ ...draft, email: text })}
          />
        </FormGroup>
        <PasswordInput
          id="password"
          label={say('password')}
          autoComplete="current-password"
          value={draft.password}
          onChange={(text) => write({ ...draft, password: text })}
          inputRef={password}
          wrong={missing === 'password'}
          danger={missing === 'password'}
          below={missing === 'password' && <span role="alert">{sayUi('required')}</span>}
        />
        <Problem text={problem} />
        <Switch
          label={say('remember')}
          checked={draft.remember}
          onChange={({ currentTarget }) => write({ ...draft, remember: currentTarget.checked })}
        />
        <Button type="submit" intent="primary" size="large" fill text={say('enter')} loading={busy} />
      </form>
      <Link href="/forgot-password" className={outside.way}>
        {say('forgotLink')}
      </Link>
      <Demo busy={busy} onChoose={({ email, password: known }) => void enter({ email, password: known, remember: draft.remember })} />
    </Outside>
  )
}

function failureOf(error: unknown, say: ReturnType<typeof useWords<keyof typeof loginWords>>): string {
  if (!(error instanceof ApiError)) return failure(error)
  if (error.code === 'ERR_INVALID_CREDENTIALS' && error.status === 401) return say('wrong')
  const { retryAfter, dueDate: due } = error.detail
  if (error.code === 'ERR_INVALID_CREDENTIALS' && typeof retryAfter === 'number')
    return retryAfter > 90 ? say('pausedMinutes', { n: Math.ceil(retryAfter / 60) }) : say('pausedSeconds', { n: retryAfter })
  if (error.code === 'ERR_SUBSCRIPTION_EXPIRED' && typeof due === 'string') return say('expired', { date: calendarDay(due, language()) })
  return failure(error)
}
