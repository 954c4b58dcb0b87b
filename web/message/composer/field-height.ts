import { atom } from 'jotai'

/** Limits of the field in pixels: at least two lines; label and tools need the rest of 60 % of the chat. */
export const leastHeight = 52
const besideField = 72

/** The largest height of the field in a chat of this height. */
export const mostHeight = (chat: number): number => Math.max(leastHeight, Math.round(chat * 0.6) - besideField)
export const fittedHeight = (height: number, chat: number): number => Math.round(Math.min(mostHeight(chat), Math.max(leastHeight, height)))

const kept = typeof localStorage === 'undefined' ? null : Number(localStorage.getItem('composerHeight')) || null
const height = atom(kept)
/** The height that the user chose for the field on this device; null: as high as its text (R-MSG-03). */
export const fieldHeightAtom = atom(
  (get) => get(height),
  (_, set, to: number | null) => {
    if (to === null) localStorage.removeItem('composerHeight')
    else localStorage.setItem('composerHeight', String(to))
    set(height, to)
  },
)
