import { useWords } from '#web/i18n.ts'
import { Erased } from '#web/ui/Erased.tsx'
import { uiWords } from '#web/ui/words.ts'

/** The name of a contact; an erased one has none. */
export const ContactName = ({ name }: { name: string | null }) => (name ? <bdi>{name}</bdi> : <Erased />)

/** The name of a contact where only plain text can be. */
export function useContactName(): (name: string | null) => string {
  const t = useWords(uiWords)
  return (name) => name || t('erased')
}
