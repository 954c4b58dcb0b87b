import { atom } from 'jotai'

/** On until it is switched off (A-MSG-01); stays so on this machine. */
const kept = typeof localStorage === 'undefined' ? null : localStorage.getItem('signMessages')
const now = atom(kept !== 'off')
export const signAtom = atom(
  (get) => get(now),
  (_, set, on: boolean) => {
    localStorage.setItem('signMessages', on ? 'on' : 'off')
    set(now, on)
  },
)
