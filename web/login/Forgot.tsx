import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { failure, toast } from '#web/ui/toaster.ts'
import outside from './Outside.module.css'
import { Outside, Problem } from './Outside.tsx'
import { loginWords } from './words.ts'

/** How long the button confirms the sending (R-RESET-01). */
const sentNoticeMs = 2000

/** Mails a link to reset the password. The answer does not reveal whether the address is known (A-AUTH-09). */
export function Forgot() {
  const t = useWords(loginWords)
  const [query] = useSearchParams()
  const [email, setEmail] = useState(query.get('email') ?? '')
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (state !== 'sent') return
    const timer = setTimeout(() => setState('idle'), sentNoticeMs)
    return () => clearTimeout(timer)
  }, [state])
  const fail = (text: string) => {
    setProblem(text)
    field.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (state !== 'idle') return
    const to = email.trim()
    setSentTo(null)
    if (!/^[^\s@]+@[^\s@]+$/.test(to)) return fail(t('emailWrong'))
    setProblem(null)
    setState('sending')
    try {
      const { mails } = await api.session.forgot({ body: { email: to } })
      if (!mails) {
        setState('idle')
        return setProblem(t('noMail'))
      }
      setSentTo(to)
      toast(t('sentToast'))
      setState('sent')
    } catch (error) {
      setState('idle')
      fail(failure(error))
    }
  }
  return (
    <Outside title={t('forgot')}>
      <p className={outside.lead}>{t('forgotLead')}</p>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <FormGroup label={t('email')} labelFor="email">
          <InputGroup
            id="email"
            type="email"
            name="email"
            size="large"
            autoComplete="username"
            autoFocus
            required
            aria-invalid={problem !== null}
            value={email}
            inputRef={field}
            onValueChange={setEmail}
          />
        </FormGroup>
        <Problem text={problem} />
        {sentTo && (
          <p className={outside.notice} role="status">
            {t('sentWhere', { email: sentTo })}
          </p>
        )}
        <Button
          type="submit"
          intent={state === 'sent' ? 'success' : 'primary'}
          size="large"
          fill
          text={t({ idle: 'send', sending: 'sending', sent: 'sent' }[state] as 'send')}
          aria-disabled={state !== 'idle'}
        />
      </form>
      <Link href="/login" className={outside.way}>
        {t('back')}
      </Link>
    </Outside>
  )
}
