import { useAtomValue } from 'jotai'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { shellWords } from '#web/shell/words.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import css from './Outside.module.css'

const addressAtom = createRemoteAtom(() => api.settings.public({ params: { key: 'supportUrl' } }))

/** Links to the operator of this server from the pages without a session, if the operator gave an address (A-SUPPORT-01). */
export function Support() {
  const t = useWords(shellWords)
  const address = useAtomValue(addressAtom)
  if (address.state !== 'ready' || !address.value) return null
  return (
    <a className={css.way} href={address.value} target="_blank" rel="noreferrer">
      {t('callSupport')}
    </a>
  )
}
