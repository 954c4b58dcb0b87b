import { createContext, useContext, useEffect } from 'react'

/** The labels of a form's fields, by field name. */
export const FieldLabels = createContext<Map<string, string> | null>(null)

/** The row of a form as last loaded, including other users' changes since the form was opened. */
export const StoredValues = createContext<object>({})

export function useLabel(name: string, label: string): void {
  const labels = useContext(FieldLabels)
  useEffect(() => void labels?.set(name, label), [labels, name, label])
}
