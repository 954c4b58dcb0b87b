/** The changed part of a text, as close to the caret as possible. */
export function difference(before: string, after: string, caret: number): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length)
  let same = 0 // at the end
  while (same < Math.min(shorter, after.length - caret) && before.at(-1 - same) === after.at(-1 - same)) same++
  let from = 0
  while (from < shorter - same && before[from] === after[from]) from++
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) }
}
