import { atom } from 'jotai'

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
/** On a narrow screen the menu lies over the page while it is open. */
export const menuOpenAtom = atom(false)
export const paletteOpenAtom = atom(false)
export const sheetOpenAtom = atom(false)
/** A newer version of the pages waits: what takes it. */
export const updateAtom = atom<{ take: () => void } | null>(null)
