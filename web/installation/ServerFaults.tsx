import { useAtomValue } from 'jotai'
import { useWords } from '#web/i18n.ts'
import { installationAtom } from './state.ts'
import { installationWords } from './words.ts'

/** One line for each role that no process of the server runs, and for each store that is down. `className`: the look of a bar. */
export function ServerFaults({ className }: { className: string }) {
  const t = useWords(installationWords)
  const state = useAtomValue(installationAtom)
  return [...(state?.missingRoles ?? []), ...(state?.unavailable ?? [])].map((fault) => (
    <p key={fault} className={className} data-part="server-fault">
      {t(fault)}
    </p>
  ))
}
