import { atom } from 'jotai'
import { viewer } from '#web/session.ts'

/** Number of recently used emoji that are kept per user on this device. */
const most = 16
const name = () => `emojis-${viewer().id}`
const kept = (): string[] => {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(name()) ?? '[]')
    return Array.isArray(all) ? all.filter((one) => typeof one === 'string').slice(0, most) : []
  } catch {
    return []
  }
}
const now = atom<string[] | null>(null)
export const recentsAtom = atom(
  (get) => get(now) ?? kept(),
  (get, set, emoji: string) => {
    const next = [emoji, ...(get(now) ?? kept()).filter((one) => one !== emoji)].slice(0, most)
    set(now, next)
    localStorage.setItem(name(), JSON.stringify(next))
  },
)
