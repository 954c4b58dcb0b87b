/** So many log in at the same time where a process has lost all its lines at once: each takes a moment of the processor from everybody else. */
const mostAtOnce = 5
/** So long the others wait for one whom WhatsApp keeps waiting. */
const mostMs = 3000

let under = 0
const waiting: (() => void)[] = []
/** Waits until few enough log in; answers how to let the next one. */
export async function turn(): Promise<() => void> {
  if (under < mostAtOnce) under++
  else await new Promise<void>((mine) => waiting.push(mine))
  let over = false
  const next = () => {
    if (over) return
    over = true
    clearTimeout(late)
    const first = waiting.shift()
    if (first) first()
    else under--
  }
  const late = setTimeout(next, mostMs).unref()
  return next
}
