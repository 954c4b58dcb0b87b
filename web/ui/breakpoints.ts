import { type Atom, atom } from 'jotai'

/** Whether the window matches a media query, live while something subscribes. */
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

/** The breakpoints of the layout, the same as in the style sheets. */
export const phoneAtom = fits('(width < 767px)')
/** No room for a third column: the contact covers the chat. */
export const tightAtom = fits('(width < 1200px)')
/** The list or the chat, never both. */
export const onePaneAtom = fits('(width < 960px)')
/** The menu is an icon rail, and the list is as narrow as possible. */
export const railAtom = fits('(width < 1280px)')
