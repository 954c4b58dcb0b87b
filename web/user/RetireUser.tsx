import { useEffect, useState } from 'react'
import type { UserRow } from '#domain/user/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { servedBy } from './serving.ts'
import { userWords } from './words.ts'

/** Asks first, and says what becomes of what they serve (A-USER-03). */
export function RetireUser({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const say = useWords(userWords)
  const ui = useWords(uiWords)
  const [serving, count] = useState<number | null>(null)
  useEffect(() => {
    servedBy(user.id).then(count, () => count(-1))
  }, [user.id])
  const tickets =
    serving === null || serving < 0
      ? say('retireTickets')
      : say(serving === 0 ? 'retireNone' : serving === 1 ? 'retireOne' : 'retireSome', { n: serving })
  return (
    <Confirm
      title={ui('removeOne', { name: user.name })}
      question={
        <>
          <p>{say('retireAccess')}</p>
          <p>{tickets}</p>
          <p>{say('retireOptions')}</p>
          <p>{say('retireKeeps')}</p>
        </>
      }
      verb={ui('remove')}
      waits={serving === null}
      onClose={onClose}
      onConfirm={async () => {
        await api.users.remove({ params: { id: user.id } })
        toast(say('retired', { name: user.name }))
      }}
    />
  )
}
