import { createContext } from 'react'

/** The right to a screen was taken while a form stood open in it: nothing can be saved any more, and what was typed is not lost. */
export const AccessLost = createContext(false)
