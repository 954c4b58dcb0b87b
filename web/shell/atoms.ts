import { atom } from 'jotai'
import { phoneAtom, railAtom } from '#web/ui/breakpoints.ts'

function keptSwitch(key: string, first: boolean) {
  const now = atom(localStorage.getItem(key) === null ? first : localStorage.getItem(key) === '1')
  return atom(
    (get) => get(now),
    (_, set, on: boolean) => {
      localStorage.setItem(key, on ? '1' : '0')
      set(now, on)
    },
  )
}

/** Folded to 56 px; remembered. */
export const foldedAtom = keptSwitch('menuFolded', false)
/** Where there is no room beside the page, the whole menu lies over it while it is open. */
export const menuOpenAtom = atom(false)
/** Icons alone: chosen so, or all that there is room for. */
export const smallMenuAtom = atom((get) => (get(railAtom) ? !get(phoneAtom) && !get(menuOpenAtom) : get(foldedAtom)))
/** Smaller or whole; over the page where there is no room beside it. */
export const foldMenuAtom = atom(null, (get, set) => {
  const small = get(smallMenuAtom)
  if (get(railAtom)) set(menuOpenAtom, small)
  else set(foldedAtom, !small)
})
export const paletteOpenAtom = atom(false)
export const sheetOpenAtom = atom(false)
export const pictureOpenAtom = atom(false)
export const profileOpenAtom = atom(false)
/** A newer version of the pages waits: what takes it. */
export const updateAtom = atom<{ take: () => void } | null>(null)
