import { useAtomValue } from 'jotai'
import { Link } from 'wouter'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { useViewer } from '#web/session.ts'
import { lookFor } from '#web/setting/look.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import css from './Connections.module.css'
import { sessionWords } from './session-words.ts'

const alarm = createRemoteAtom(() => api.connections.alarm())

/** Warns that no email reports a lost connection. The operator of the server can change that. */
export function NoMail() {
  const t = useWords(sessionWords)
  const loadedAlarm = useAtomValue(alarm)
  const runs = useViewer().super
  if (loadedAlarm.state !== 'ready' || loadedAlarm.value.mails) return null
  return (
    <p role="note" className={css.noMail} data-part="no-mail">
      {t('noMail')}{' '}
      {runs ? (
        <Link href="/settings" onClick={() => lookFor('mailHost')}>
          {t('toMail')}
        </Link>
      ) : (
        t('askForMail')
      )}
    </p>
  )
}
