import { idleAfterMs } from '#domain/user/rules.ts'

/** Storage key of the last input in any tab of this browser. */
const storageKey = 'lastInput'
const everyMs = 30_000
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']

let watching = false
/** Reports when the user becomes idle or active again. Only the first call of a page starts it. */
export function watchIdle(onChange: (idle: boolean) => void): void {
  if (watching) return
  watching = true
  let idle = false
  let noted = 0
  const turn = (now: boolean) => {
    if (now === idle) return
    idle = now
    onChange(idle)
  }
  const note = () => {
    if (!idle && Date.now() - noted < 1000) return
    noted = Date.now()
    localStorage.setItem(storageKey, String(noted))
    turn(false)
  }
  note()
  for (const input of inputs) window.addEventListener(input, note, { passive: true })
  setInterval(() => turn(Date.now() - Number(localStorage.getItem(storageKey) ?? noted) >= idleAfterMs), everyMs)
}
