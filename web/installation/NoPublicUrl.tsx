import { Callout } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { installationAtom } from './state.ts'
import { installationWords } from './words.ts'

/** Warns beside the mail settings that links in mails lead to an address of the server itself. */
export function NoPublicUrl() {
  const t = useWords(installationWords)
  const state = useAtomValue(installationAtom)
  if (!state || state.publicUrl !== null) return null
  return (
    <Callout intent="warning" compact data-part="no-public-url">
      {t('noPublicUrl', { address: state.localUrl })}
    </Callout>
  )
}
