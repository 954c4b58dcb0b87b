import { atom } from 'jotai'

const tick = 20_000
const passing = atom(Date.now())
passing.onMount = (tell) => {
  tell(Date.now())
  const timer = setInterval(() => tell(Date.now()), tick)
  return () => clearInterval(timer)
}
/** The time, for what grows older on the screen. */
export const nowAtom = atom((get) => get(passing))
