import { Button } from '@blueprintjs/core'
import { atom, useAtomValue, useSetAtom } from 'jotai'
import { Link } from 'wouter'
import { lacksText, on } from '#domain/setting/contract.ts'
import { groups } from '#web/calls.ts'
import { useLanguage, useWords } from '#web/i18n.ts'
import { ServerFaults } from '#web/installation/ServerFaults.tsx'
import { endedAtom, expiredAtom, meAtom, useMay, useSettings } from '#web/session.ts'
import { connectionAtom } from '#web/socket.ts'
import { date, hour } from '#web/ui/moment.ts'
import { Late } from '#web/ui/states.tsx'
import { updateAtom } from './atoms.ts'
import { useAway } from './away.ts'
import css from './Bars.module.css'
import { ownAvailabilityAtom } from './own-availability.ts'
import { shellWords } from './words.ts'

const onlineAtom = atom(navigator.onLine)
onlineAtom.onMount = (set) => {
  const look = () => set(navigator.onLine)
  window.addEventListener('online', look)
  window.addEventListener('offline', look)
  return () => {
    window.removeEventListener('online', look)
    window.removeEventListener('offline', look)
  }
}

/** Delay in milliseconds before a lost or a first connection is reported. */
const noticeDelays = { off: null, open: null, lost: 1500, opening: 5000 }

/** The settings show the missing text. Their words are not part of the first page. */
const leadToText = async () => (await import('#web/setting/look.ts')).lookFor('lgpdMessage')

/** Bars under the top bar that report the state of the connection without covering the work. */
export function Bars() {
  const t = useWords(shellWords)
  const language = useLanguage()
  const online = useAtomValue(onlineAtom)
  const connection = useAtomValue(connectionAtom)
  const late = noticeDelays[connection]
  const me = useAtomValue(meAtom)
  const toggleAway = useAway()
  const availability = useAtomValue(ownAvailabilityAtom)
  const update = useAtomValue(updateAtom)
  const setUpdate = useSetAtom(updateAtom)
  const ended = useAtomValue(endedAtom)
  const settings = useSettings()
  const { restoredFrom } = settings
  const expired = useAtomValue(expiredAtom) // such a company's calls are refused
  const seesServer = useMay(groups.installation.show)
  const asksNobody = useMay(groups.settings.set) && on(settings, 'enableLGPD') && lacksText(settings, 'lgpdConsent')
  return (
    <div aria-live="polite">
      {ended === 'elsewhere' && <p className={`${css.bar} ${css.danger}`}>{t('elsewhere')}</p>}
      {restoredFrom !== '' && (
        <p className={css.bar}>{t('restored', { when: `${date(restoredFrom, language)} ${hour(restoredFrom, language)}` })}</p>
      )}
      {seesServer && !expired && <ServerFaults className={`${css.bar} ${css.danger}`} />}
      {asksNobody && (
        <p className={css.bar}>
          {t('consentLacksText')}{' '}
          <Link href="/settings" onClick={() => void leadToText()}>
            {t('toSettings')}
          </Link>
        </p>
      )}
      {me?.away && (
        <p className={css.bar} data-part="away">
          {t('awayText')}
          <Button size="small" variant="outlined" text={t('beBack')} onClick={() => void toggleAway()} />
        </p>
      )}
      {availability === 'full' && (
        <p className={css.bar} data-part="full">
          {t('fullText')}
        </p>
      )}
      {!online ? (
        <p className={css.bar}>{t('offline')}</p>
      ) : (
        late !== null && (
          <Late key={connection} after={late}>
            <p className={css.bar}>{t('reconnecting')}</p>
          </Late>
        )
      )}
      {update && (
        <p className={`${css.bar} ${css.info}`}>
          {t('updated')}
          <Button size="small" intent="primary" text={t('update')} onClick={update.take} />
          <Button size="small" variant="minimal" text={t('later')} onClick={() => setUpdate(null)} />
        </p>
      )}
    </div>
  )
}
