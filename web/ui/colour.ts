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
