import { isWriting } from './keys.ts'

/** Grows with everything that somebody types, and with each shortcut. */
let typed = 0
const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Tab'])
const isTyped = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) =>
  !modifiers.has(key) && (isWriting(target) || ctrlKey || metaKey || altKey || ([...key].length === 1 && key !== ' ') || key === 'Process')
if (typeof window !== 'undefined') {
  const count = () => void typed++
  window.addEventListener('keydown', (event) => isTyped(event) && count(), true)
  window.addEventListener('input', count, true)
}

/**
 * Asked as an act begins. The answer tells, however late, whether the agent is still where the act began and has not typed since: only then may
 * what the act brought open a page, close one, or lay something over it.
 */
export function placeNow(): () => boolean {
  const [at, typedThen] = [location.pathname, typed]
  return () => location.pathname === at && typed === typedThen
}
