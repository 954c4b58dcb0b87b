import { AnchorButton } from '@blueprintjs/core'
import { Headset } from '@blueprintjs/icons'
import { useWords } from '#web/i18n.ts'
import { useSettings } from '#web/session.ts'
import { shellWords } from './words.ts'

/** Links to the operator of this server, if the operator gave an address (A-SUPPORT-01). */
export function CallSupport() {
  const t = useWords(shellWords)
  const { supportUrl } = useSettings()
  if (supportUrl === '') return null
  return <AnchorButton icon={<Headset />} text={t('callSupport')} href={supportUrl} target="_blank" rel="noreferrer" />
}
