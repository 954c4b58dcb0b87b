import { createContext, useContext, useEffect } from 'react'

/** What the fields of a form are called by those who fill it in, by their names. */
export const FieldLabels = createContext<Map<string, string> | null>(null)

/** What the row of a form holds, as it was last read: also what somebody else has made of it since the form was opened. */
export const StoredValues = createContext<object>({})

export function useLabel(name: string, label: string): void {
  const labels = useContext(FieldLabels)
  useEffect(() => void labels?.set(name, label), [labels, name, label])
}
