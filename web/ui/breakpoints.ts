import { type Atom, atom } from 'jotai'

/** Whether the window is that wide, followed while somebody asks. */
function fits(query: string): Atom<boolean> {
  const media = typeof matchMedia === 'undefined' ? null : matchMedia(query)
  const now = atom(media?.matches ?? false)
  now.onMount = (tell) => {
    const update = () => tell(media?.matches ?? false)
    update()
    media?.addEventListener('change', update)
    return () => media?.removeEventListener('change', update)
  }
  return atom((get) => get(now))
}

/** The steps of the frame, as the style sheets have them. */
export const phoneAtom = fits('(width < 767px)')
/** No room for a third column: what is beside the chat lies over it. */
export const tightAtom = fits('(width < 1200px)')
/** List or chat, never both. */
export const onePaneAtom = fits('(width < 960px)')
/** The menu is a rail of icons, and the list as slim as it may be. */
export const railAtom = fits('(width < 1280px)')
