import { createContext, useContext, useEffect } from 'react'

/** What the fields of a form are called by those who fill it in, by their names. */
export const FieldLabels = createContext<Map<string, string> | null>(null)

export function useLabel(name: string, label: string): void {
  const labels = useContext(FieldLabels)
  useEffect(() => void labels?.set(name, label), [labels, name, label])
}
