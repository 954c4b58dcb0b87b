import { atom, useAtomValue } from 'jotai'
import { atomFamily } from 'jotai-family'
import { useWords } from '#web/i18n.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { userWords } from '#web/user/words.ts'
import { userChoices } from './choices.ts'

const userOf = atomFamily((id: number) => atom((get) => get(userChoices.all).find((one) => one.id === id) ?? null))

/** An agent with the sign of the current presence, which is the same everywhere, and its text (A-PRESENCE-01). */
export function PresentAgent({ id, ...of }: { id: number; name: string; size: number }) {
  const t = useWords(userWords)
  const user = useAtomValue(userOf(id))
  return (
    <>
      <Avatar {...of} picture={user?.profileImage ?? null} presence={user?.availability} />
      {user && <span className="hidden-but-read">{t(user.availability)}</span>}
    </>
  )
}
