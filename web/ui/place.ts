import { isWriting } from './keys.ts'

/** Counts typed characters and shortcuts. */
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
 * Call it when an action begins. The result tells whether the agent is still on the same page and has not typed
 * since. Only then may the action open a page or an overlay, or close one.
 */
export function placeNow(): () => boolean {
  const [at, typedThen] = [location.pathname, typed]
  return () => location.pathname === at && typed === typedThen
}
