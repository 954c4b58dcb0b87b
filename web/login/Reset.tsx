import { Link as Way } from 'wouter'
import { resetLength } from '#domain/session/rules.ts'
import { api } from '#web/api.ts'
import '#web/area-errors.ts'
import { errorWords } from '#web/errors.ts'
import { useWords } from '#web/i18n.ts'
import { toast } from '#web/ui/toaster.ts'
import { ChoosePassword } from './ChoosePassword.tsx'
import { Linked } from './Linked.tsx'
import outside from './Outside.module.css'
import { Problem } from './Outside.tsx'
import { loginWords } from './words.ts'

/** Sets a new password by a mailed link (A-AUTH-09). */
export function Reset() {
  const t = useWords(loginWords)
  const below = (
    <Way href="/login" className={outside.way}>
      {t('back')}
    </Way>
  )
  return (
    <Linked title={t('forgot')} over={<Over />} below={below}>
      {(link, token, over) => (
        <ChoosePassword
          link={link}
          lead={t('resetFor', link)}
          length={resetLength}
          verb={t('forgot')}
          twice
          onSave={(password) => save(token, password, t('resetDone'))}
          onExpired={over}
        />
      )}
    </Linked>
  )
}

function Over() {
  const t = useWords(loginWords)
  const tError = useWords(errorWords)
  return (
    <>
      <Problem text={tError('ERR_RESET_TOKEN')} />
      <Way href="/forgot-password" className={outside.way}>
        {t('askAgain')}
      </Way>
    </>
  )
}

async function save(token: string, newPassword: string, done: string): Promise<void> {
  await api.session.reset({ body: { token, newPassword } })
  toast(done)
  setTimeout(() => location.assign('/login'), 2000) // R-RESET-03; a new page keeps nothing of the ended session
}
