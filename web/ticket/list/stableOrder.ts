/**
 * The order that stays while the pointer is over the list, so that nothing moves under it. Further pages are still
 * added at the end.
 */
export function stableOrder(displayed: readonly number[], now: readonly number[]): readonly number[] {
  const standing = new Set(displayed)
  let last = now.length - 1
  while (last >= 0 && !standing.has(now[last]!)) last--
  const further = now.slice(last + 1)
  return further.length === 0 || last < 0 ? displayed : [...displayed, ...further]
}

/** Number of rows that were added or moved up meanwhile. */
export function waiting(displayed: readonly number[], now: readonly number[]): number {
  const before = new Map(displayed.map((id, at) => [id, at]))
  let count = 0
  let least = Number.POSITIVE_INFINITY
  for (let at = now.length - 1; at >= 0; at--) {
    const was = before.get(now[at]!)
    if (was === undefined || least < was) count++
    else least = Math.min(least, was)
  }
  return count
}
export const same = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((id, at) => id === b[at])
/** Whether the same rows are in the same places, with or without further rows after them. */
export const goesOn = (a: readonly number[], b: readonly number[]): boolean => a.length <= b.length && a.every((id, at) => id === b[at])
