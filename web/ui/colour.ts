/** Default colours of new tags and queues: distinct from one another, and readable as small marks in both themes. */
export const palette = [
  '#d6453d',
  '#d9622b',
  '#c48a12',
  '#5d9422',
  '#1f9d63',
  '#16938f',
  '#1f83c4',
  '#4a63d8',
  '#7a55d6',
  '#a848b8',
  '#cf3f7f',
  '#6b7280',
]
/** A colour that none of these has: from the palette while it lasts, then a random one of similar strength. */
export function anyColour(taken: string[] = []): string {
  const isFree = (colour: string) => !taken.some((one) => one.toLowerCase() === colour)
  const free = palette.filter(isFree)
  for (;;) {
    const colour = free[Math.floor(Math.random() * free.length)] ?? `#${strength()}${strength()}${strength()}`
    if (isFree(colour)) return colour
  }
}
/** Visible on white and on black. */
const strength = () => (64 + Math.floor(Math.random() * 112)).toString(16)
/** Six hex digits, as the browser's colour field requires. */
export const sixDigits = (colour: string): string =>
  /^#[0-9a-f]{3,4}$/i.test(colour) ? `#${[...colour.slice(1, 4)].map((digit) => digit + digit).join('')}` : colour.slice(0, 7)
