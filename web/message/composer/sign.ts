import { atom } from 'jotai'

/** Signing is on until the agent switches it off (A-MSG-01); the choice is kept on this device. */
const kept = typeof localStorage === 'undefined' ? null : localStorage.getItem('signMessages')
const now = atom(kept !== 'off')
export const signAtom = atom(
  (get) => get(now),
  (_, set, on: boolean) => {
    localStorage.setItem('signMessages', on ? 'on' : 'off')
    set(now, on)
  },
)
