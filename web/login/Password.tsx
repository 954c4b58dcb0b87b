import { Button } from '@blueprintjs/core'
import { useLocation } from 'wouter'
import { passwordLength } from '#domain/session/rules.ts'
import { useWords } from '#web/i18n.ts'
import { setPassword } from '#web/session.ts'
import { ChoosePassword } from './ChoosePassword.tsx'
import { Linked } from './Linked.tsx'
import outside from './Outside.module.css'
import { loginWords } from './words.ts'

/** A-USER-04: the link that lets somebody in for the first time. */
export function Password() {
  const say = useWords(loginWords)
  return (
    <Linked title={say('setPassword')} over={<Over />}>
      {(link, token, over) => (
        <ChoosePassword
          link={link}
          lead={say('setPasswordFor', link)}
          length={passwordLength}
          verb={say('setAndEnter')}
          save={(password) => setPassword({ token, password })}
          over={over}
        />
      )}
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
