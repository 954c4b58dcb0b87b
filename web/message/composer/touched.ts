/** Fingers have no Shift+Enter: their Enter begins a line, the button sends. */
export const touched = typeof matchMedia !== 'undefined' && matchMedia('(pointer: coarse)').matches
