import { useAtom } from 'jotai'
import { api } from '#web/api.ts'
import { meAtom } from '#web/session.ts'
import { useAsyncAction } from '#web/ui/async-action.ts'

/** Sets the user to away, or back (A-ROT-01). */
export function useAway(): () => Promise<unknown> {
  const [me, setMe] = useAtom(meAtom)
  return useAsyncAction()(async () => {
    if (!me) return
    const away = !me.away
    await api.users.away({ params: { id: me.id }, body: { away } })
    setMe((now) => now && { ...now, away })
  })
}
