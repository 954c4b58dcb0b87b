export const longest = 10_000

/** A long paste: what of it fits where it was meant to go. */
export function fitting(body: string, from: number, to: number, pasted: string): { body: string; fits: number } {
  const room = Math.max(0, longest - (body.length - (to - from)))
  const whole = pasted.length <= room ? pasted : pasted.slice(0, room).replace(/[\uD800-\uDBFF]$/, '') // no half of a sign
  return { body: body.slice(0, from) + whole + body.slice(to), fits: whole.length }
}
