import { Button } from '@blueprintjs/core'
import { type FormEvent, useRef, useState } from 'react'
import { Link as Way } from 'wouter'
import { isWeak, resetLength } from '#domain/session/rules.ts'
import { api } from '#web/api.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import { failure, toast } from '#web/ui/toaster.ts'
import { isOver, type Link, Linked } from './Linked.tsx'
import outside from './Outside.module.css'
import { PasswordInput, Problem } from './Outside.tsx'
import { loginWords } from './words.ts'

/** Sets a new password by the link that was mailed (A-AUTH-09). */
export function Reset() {
  const say = useWords(loginWords)
  const below = (
    <Way href="/login" className={outside.way}>
      {say('back')}
    </Way>
  )
  return (
    <Linked title={say('forgot')} over={<Over />} below={below}>
      {(link, token, over) => <Choose link={link} token={token} over={over} />}
    </Linked>
  )
}

function Over() {
  const say = useWords(loginWords)
  const error = useWords(errorWords)
  return (
    <>
      <Problem text={error('ERR_RESET_TOKEN')} />
      <Way href="/forgot-password" className={outside.way}>
        {say('askAgain')}
      </Way>
    </>
  )
}

function Choose({ link, token, over }: { link: Link; token: string; over: () => void }) {
  const say = useWords(loginWords)
  const [password, write] = useState('')
  const [again, repeat] = useState('')
  const [busy, work] = useState(false)
  const [problem, tell] = useState<{ of: 'password' | 'again'; text: string } | null>(null)
  const first = useRef<HTMLInputElement>(null)
  const second = useRef<HTMLInputElement>(null)
  const wrong = (of: 'password' | 'again', text: string) => {
    tell({ of, text })
    ;(of === 'password' ? first : second).current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const letters = [...password].length
    if (letters < resetLength.min) return wrong('password', say('tooShort', resetLength))
    if (letters > resetLength.max) return wrong('password', say('passwordRule', resetLength))
    if (isWeak(password)) return wrong('password', say('passwordWeak'))
    if (password !== again) return wrong('again', say('differ'))
    work(true)
    tell(null)
    try {
      await api.session.reset({ body: { token, newPassword: password } })
      toast(say('resetDone'))
      setTimeout(() => location.assign('/login'), 2000) // R-RESET-03; a new page, so that nothing of a session that ended stays
    } catch (error) {
      work(false)
      if (isOver(error)) over()
      else wrong('password', failure(error))
    }
  }
  return (
    <>
      <p className={outside.lead}>{say('resetFor', link)}</p>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <input type="email" name="email" autoComplete="username" value={link.email} readOnly hidden />
        <PasswordInput
          id="new-password"
          label={say('newPassword')}
          autoComplete="new-password"
          autoFocus
          value={password}
          onChange={write}
          inputRef={first}
          wrong={problem?.of === 'password'}
          below={<span id="password-rule">{say('passwordRule', resetLength)}</span>}
          belowId="password-rule"
        />
        <PasswordInput
          id="confirm-password"
          label={say('confirm')}
          autoComplete="new-password"
          value={again}
          onChange={repeat}
          inputRef={second}
          wrong={problem?.of === 'again'}
        />
        <Problem text={problem?.text ?? null} />
        <Button type="submit" intent="primary" size="large" fill text={say('forgot')} loading={busy} />
      </form>
    </>
  )
}
