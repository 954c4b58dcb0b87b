import { createContext } from 'react'

/** The viewer lost access while a form was open. The form cannot be saved, but its text is kept. */
export const AccessLost = createContext(false)
