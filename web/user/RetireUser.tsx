import { useEffect, useState } from 'react'
import type { UserRow } from '#domain/user/contract.ts'
import { api } from '#web/api.ts'
import { useWords } from '#web/i18n.ts'
import { Confirm } from '#web/ui/Confirm.tsx'
import { toast } from '#web/ui/toaster.ts'
import { uiWords } from '#web/ui/words.ts'
import { servedBy } from './serving.ts'
import { userWords } from './words.ts'

/** Asks for confirmation and shows what happens to the user's tickets (A-USER-03). */
export function RetireUser({ user, onClose }: { user: UserRow; onClose: () => void }) {
  const t = useWords(userWords)
  const tUi = useWords(uiWords)
  const [serving, setServing] = useState<number | null>(null)
  useEffect(() => {
    servedBy(user.id).then(setServing, () => setServing(-1))
  }, [user.id])
  const tickets =
    serving === null || serving < 0
      ? t('retireTickets')
      : t(serving === 0 ? 'retireNone' : serving === 1 ? 'retireOne' : 'retireSome', { n: serving })
  return (
    <Confirm
      title={tUi('removeOne', { name: user.name })}
      question={
        <>
          <p>{t('retireAccess')}</p>
          <p>{tickets}</p>
          <p>{t('retireOptions')}</p>
          <p>{t('retireKeeps')}</p>
        </>
      }
      verb={tUi('remove')}
      waits={serving === null}
      onClose={onClose}
      onConfirm={async () => {
        await api.users.remove({ params: { id: user.id } })
        toast(t('retired', { name: user.name }))
      }}
    />
  )
}
