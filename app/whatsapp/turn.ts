/** Logins at the same time, because a process that lost all sockets at once would otherwise use the whole processor. */
const mostAtOnce = 5
/** A login that takes longer no longer counts, so that the others continue. */
const mostMs = 3000

let running = 0
const waiting: (() => void)[] = []
/** Waits until fewer logins run. Returns a function that frees the slot. */
export async function turn(): Promise<() => void> {
  if (running < mostAtOnce) running++
  else await new Promise<void>((mine) => waiting.push(mine))
  let over = false
  const next = () => {
    if (over) return
    over = true
    clearTimeout(late)
    const first = waiting.shift()
    if (first) first()
    else running--
  }
  const late = setTimeout(next, mostMs).unref()
  return next
}
