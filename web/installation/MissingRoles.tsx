import { useAtomValue } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { installationAtom } from './state.ts'
import { installationWords } from './words.ts'

/** One line for each role that no process of the server runs. `className`: the look of a bar. */
export function MissingRoles({ className }: { className: string }) {
  const t = useWords(installationWords)
  return (useAtomValue(installationAtom)?.missingRoles ?? []).map((role) => (
    <p key={role} className={className} data-part="missing-role">
      {t(role)}
    </p>
  ))
}
