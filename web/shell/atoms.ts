import { atom } from 'jotai'
import { phoneAtom, railAtom } from '#web/ui/breakpoints.ts'
import { keptSwitch } from '#web/ui/kept-switch.ts'

/** The menu is collapsed to 56 px; the choice is stored. */
export const foldedAtom = keptSwitch('menuFolded', false)
/** On a narrow screen the open menu covers the page. */
export const menuOpenAtom = atom(false)
/** The menu shows icons only, by choice or for lack of room. */
export const smallMenuAtom = atom((get) => (get(railAtom) ? !get(phoneAtom) && !get(menuOpenAtom) : get(foldedAtom)))
/** Collapses or expands the menu; on a narrow screen it covers the page. */
export const foldMenuAtom = atom(null, (get, set) => {
  const small = get(smallMenuAtom)
  if (get(railAtom)) set(menuOpenAtom, small)
  else set(foldedAtom, !small)
})
export const paletteOpenAtom = atom(false)
export const sheetOpenAtom = atom(false)
export const pictureOpenAtom = atom(false)
export const profileOpenAtom = atom(false)
export const signInsOpenAtom = atom(false)
/** A newer version of the client is ready; `take` loads it. */
export const updateAtom = atom<{ take: () => void } | null>(null)
