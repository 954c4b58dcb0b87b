export const longest = 10_000

/** Inserts the part of a long paste that fits. */
export function fitting(body: string, from: number, to: number, pasted: string): { body: string; fits: number } {
  const room = Math.max(0, longest - (body.length - (to - from)))
  const whole = pasted.length <= room ? pasted : pasted.slice(0, room).replace(/[\uD800-\uDBFF]$/, '') // not half of a surrogate pair
  return { body: body.slice(0, from) + whole + body.slice(to), fits: whole.length }
}
