import { atom } from 'jotai'
import { viewer } from '#web/session.ts'
import { mostSearches, withSearch } from './address.ts'

const nameOf = (userId: number) => `searches-${userId}`
const kept = (): string[] => {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(nameOf(viewer().id)) ?? '[]')
    return Array.isArray(all) ? all.filter((one) => typeof one === 'string').slice(0, mostSearches) : []
  } catch {
    return []
  }
}
const now = atom<string[] | null>(null)
const keepAtom = atom(null, (_get, set, next: string[]) => {
  set(now, next)
  localStorage.setItem(nameOf(viewer().id), JSON.stringify(next))
})
/** The addresses of this user's recent searches on this device, newest first. */
export const recentSearchesAtom = atom((get) => get(now) ?? kept())
export const rememberSearchAtom = atom(null, (get, set, address: string) => set(keepAtom, withSearch(get(recentSearchesAtom), address)))
export const forgetSearchAtom = atom(null, (get, set, address: string) =>
  set(
    keepAtom,
    get(recentSearchesAtom).filter((one) => one !== address),
  ),
)
/** Removes a user's searches from this device. */
export const forgetSearches = (storage: Storage, userId: number): void => storage.removeItem(nameOf(userId))
