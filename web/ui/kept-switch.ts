import { atom } from 'jotai'

/** A choice that is stored on the device under `key`. */
export function keptSwitch(key: string, first: boolean) {
  const now = atom(localStorage.getItem(key) === null ? first : localStorage.getItem(key) === '1')
  return atom(
    (get) => get(now),
    (_, set, on: boolean) => {
      localStorage.setItem(key, on ? '1' : '0')
      set(now, on)
    },
  )
}
