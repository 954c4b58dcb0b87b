import { Button } from '@blueprintjs/core'
import { useLocation } from 'wouter'
import { passwordLength } from '#domain/session/rules.ts'
import { useWords } from '#web/i18n.ts'
import { setPassword } from '#web/session.ts'
import { ChoosePassword } from './ChoosePassword.tsx'
import { Linked } from './Linked.tsx'
import outside from './Outside.module.css'
import { loginWords } from './words.ts'

/** The first sign-in by a mailed link (A-USER-04). */
export function Password() {
  const t = useWords(loginWords)
  return (
    <Linked title={t('setPassword')} over={<Over />}>
      {(link, token, over) => (
        <ChoosePassword
          link={link}
          lead={t('setPasswordFor', link)}
          length={passwordLength}
          verb={t('setAndEnter')}
          onSave={(password) => setPassword({ token, password })}
          onExpired={over}
        />
      )}
    </Linked>
  )
}

function Over() {
  const t = useWords(loginWords)
  const [, go] = useLocation()
  return (
    <>
      <p className={outside.lead}>{t('linkOver')}</p>
      <p className={outside.notice}>{t('linkOverWhy')}</p>
      <Button intent="primary" size="large" fill text={t('toSignIn')} onClick={() => go('/login')} />
    </>
  )
}
