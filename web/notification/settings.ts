import type { NotificationSettings } from '#domain/notification/contract.ts'
import { api } from '#web/api.ts'
import { meAtom, store } from '#web/session.ts'
import { toastFailure } from '#web/ui/toaster.ts'
import { notificationSettingsAtom } from './atoms.ts'

type Change = { userId: number; settings: NotificationSettings }
/** To the other pages of this browser, one of which may play the next sound. */
const pages = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('notification-settings')
/** Applies what another page of this browser changed. Returns a function that stops it. */
export function followNotificationSettings(): () => void {
  const follow = ({ data }: MessageEvent<Change>) => apply(data)
  pages?.addEventListener('message', follow)
  return () => pages?.removeEventListener('message', follow)
}

function apply({ userId, settings }: Change): void {
  const me = store.get(meAtom)
  if (me?.id === userId) store.set(meAtom, { ...me, notifications: settings })
}
function applyEverywhere(change: Change): void {
  apply(change)
  pages?.postMessage(change)
}

/** One change at a time, so that the server stores the last one last. */
let saving: Promise<unknown> = Promise.resolve()

/** Applies a change in every page at once and stores it; a failure restores the previous settings. */
export function saveNotifications(change: Partial<NotificationSettings>): void {
  const userId = store.get(meAtom)?.id
  if (userId === undefined) return
  const before = store.get(notificationSettingsAtom)
  const settings = { ...before, ...change }
  applyEverywhere({ userId, settings })
  saving = saving.then(() =>
    api.users.notifications({ params: { id: userId }, body: settings }).catch((error: unknown) => {
      applyEverywhere({ userId, settings: before })
      toastFailure(error)
    }),
  )
}
