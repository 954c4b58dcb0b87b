import { Button } from '@blueprintjs/core'
import { type FormEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { isWeak, passwordLength } from '#domain/session/rules.ts'
import { useWords } from '#web/i18n.ts'
import { setPassword } from '#web/session.ts'
import { failure } from '#web/ui/toaster.ts'
import { isOver, type Link, Linked } from './Linked.tsx'
import outside from './Outside.module.css'
import { PasswordInput, Problem } from './Outside.tsx'
import { loginWords } from './words.ts'

/** A-USER-04: the link that lets somebody in for the first time. */
export function Password() {
  const say = useWords(loginWords)
  return (
    <Linked title={say('setPassword')} over={<Over />}>
      {(link, token, over) => <Choose link={link} token={token} over={over} />}
    </Linked>
  )
}

function Over() {
  const say = useWords(loginWords)
  const [, go] = useLocation()
  return (
    <>
      <p className={outside.lead}>{say('linkOver')}</p>
      <p className={outside.notice}>{say('linkOverWhy')}</p>
      <Button intent="primary" size="large" fill text={say('toSignIn')} onClick={() => go('/login')} />
    </>
  )
}

function Choose({ link, token, over }: { link: Link; token: string; over: () => void }) {
  const say = useWords(loginWords)
  const [password, write] = useState('')
  const [busy, work] = useState(false)
  const [problem, tell] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const rule = say('passwordRule', passwordLength)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const letters = [...password].length
    if (letters < passwordLength.min || letters > passwordLength.max) {
      tell(rule)
      return field.current?.focus()
    }
    if (isWeak(password)) {
      tell(say('passwordWeak'))
      return field.current?.focus()
    }
    work(true)
    tell(null)
    try {
      await setPassword({ token, password })
    } catch (error) {
      work(false)
      if (isOver(error)) over()
      else tell(failure(error))
    }
  }
  return (
    <>
      <p className={outside.lead}>{say('setPasswordFor', link)}</p>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <input type="email" name="email" autoComplete="username" value={link.email} readOnly hidden />
        <PasswordInput
          id="new-password"
          label={say('newPassword')}
          autoComplete="new-password"
          autoFocus
          value={password}
          onChange={write}
          inputRef={field}
          wrong={problem !== null}
          below={<span id="password-rule">{rule}</span>}
          belowId="password-rule"
        />
        <Problem text={problem} />
        <Button type="submit" intent="primary" size="large" fill text={say('setAndEnter')} loading={busy} />
      </form>
    </>
  )
}
