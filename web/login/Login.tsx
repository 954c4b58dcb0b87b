import { Button, FormGroup, InputGroup, Switch } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { Link, Redirect, useSearchParams } from 'wouter'
import { useWords } from '#web/i18n.ts'
import { endedAtom, sessionAtom } from '#web/session.ts'
import { uiWords } from '#web/ui/words.ts'
import { Demo } from './Demo.tsx'
import outside from './Outside.module.css'
import { Outside, PasswordInput, Problem } from './Outside.tsx'
import { returnAddress } from './returnAddress.ts'
import { Support } from './Support.tsx'
import { useLogin } from './useLogin.ts'
import { loginWords } from './words.ts'

export function Login() {
  const t = useWords(loginWords)
  const tUi = useWords(uiWords)
  const [query] = useSearchParams()
  const inside = useAtomValue(sessionAtom) === 'in'
  const ended = useAtomValue(endedAtom)
  const wanted = returnAddress(query.get('to'), location.origin)
  const { draft, setDraft, isBusy, problem, missing, email, password, enter, handleSubmit } = useLogin(wanted)
  if (inside && !isBusy) return <Redirect to={wanted} replace />
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
        <Button type="submit" intent="primary" size="large" fill text={t('enter')} loading={isBusy} />
      </form>
      <OtherWays />
      <Demo busy={isBusy} onChoose={({ email, password: known }) => void enter({ email, password: known, remember: draft.remember })} />
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
