/** A touch keyboard has no Shift+Enter, so Enter starts a new line and the button sends. */
export const touched = typeof matchMedia !== 'undefined' && matchMedia('(pointer: coarse)').matches
