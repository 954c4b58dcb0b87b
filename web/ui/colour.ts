/** Dark or light text, whichever can be read on this colour. */
export function readableOn(colour: string): '#14171c' | '#ffffff' {
  const hex = colour.replace('#', '')
  const full = hex.length < 6 ? [...hex.slice(0, 3)].map((digit) => digit + digit).join('') : hex
  const [red, green, blue] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return (light + 0.05) / 0.058 > 1.05 / (light + 0.05) ? '#14171c' : '#ffffff'
}

/** Colours that new tags and queues begin with: apart from one another, and readable as small marks on both themes. */
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
export const anyColour = (): string => palette[Math.floor(Math.random() * palette.length)]!
