import { atom } from 'jotai'
import {
  defaults,
  type SetSetting,
  type SettingKey,
  type SettingRow,
  type Settings,
  settingTopic,
  storedValue,
  withDefaultTexts,
} from '#domain/setting/contract.ts'
import { api } from '#web/api.ts'
import { store } from '#web/session.ts'
import { live } from '#web/socket.ts'
import { createRemoteAtom } from '#web/ui/remote-atom.ts'
import { typed } from '#web/ui/search.ts'

export const search = typed()
const led = atom(false)
/** Makes the settings show only this one when they open next, and all again after they close. */
export const leadToAtom = atom(null, (_, set, name: string) => {
  set(led, true)
  set(search.settled, name)
})

/** All settings that an admin may read. */
export const storedAtom = createRemoteAtom(async () => {
  store.set(sinceAtom, {})
  return api.settings.list()
})
/** Changes since the last load, by this user or others. */
const sinceAtom = atom<Partial<Settings>>({})
export const valuesAtom = atom((get): Settings => {
  const stored = get(storedAtom)
  const read = stored.state === 'ready' ? Object.fromEntries(stored.value.map(({ key, value }) => [key, storedValue(value)])) : {}
  return withDefaultTexts({ ...defaults, ...read, ...get(sinceAtom) })
})
/** Unsaved texts. Their rows stay visible whatever the search or the switches are. */
export type Drafts = Partial<Record<SettingKey, { text: string; from: string }>>
export const draftsAtom = atom<Drafts>({})
/** Switches that wait for their text. */
export const wantedAtom = atom<Partial<Settings>>({})
export const forgetDraftsAtom = atom(null, (get, set) => {
  if (get(led)) set(search.settled, '')
  set(led, false)
  set(draftsAtom, {})
  set(wantedAtom, {})
})

const known = ({ key, value }: SettingRow) => store.set(sinceAtom, (now) => ({ ...now, [key]: storedValue(value) }))

live.subscribe(settingTopic.name, (frames) => {
  if (frames.some(({ action }) => action === 'refresh')) return void store.set(storedAtom.reload)
  for (const { setting } of frames) if (setting) known(setting as SetSetting)
})
live.onReconnect(() => void store.set(storedAtom.reload))

export async function setTo(key: SettingKey, value: string): Promise<void> {
  known(await api.settings.set({ params: { key }, body: { value } }))
}
