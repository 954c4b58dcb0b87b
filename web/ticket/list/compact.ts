import { atom } from 'jotai'
import { keptSwitch } from '#web/ui/kept-switch.ts'

/** Two lines for each ticket instead of three; the choice is stored on the device. */
export const compactAtom = keptSwitch('compactRows', false)
/** The height of a ticket's card in pixels. */
export const cardHeightAtom = atom((get) => (get(compactAtom) ? 56 : 72))
