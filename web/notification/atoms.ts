import { atom } from 'jotai'
import { defaultNotifications, isQuiet } from '#domain/notification/rules.ts'
import { meAtom, settingsAtom } from '#web/session.ts'
import { nowAtom } from '#web/ui/now.ts'

/** The browser plays no sound in any page of the user until a click. */
export const soundBlockedAtom = atom(false)
export const notificationSettingsAtom = atom((get) => get(meAtom)?.notifications ?? defaultNotifications)
export const isQuietAtom = atom((get) => isQuiet(get(notificationSettingsAtom).quiet, get(settingsAtom).timeZone, new Date(get(nowAtom))))
