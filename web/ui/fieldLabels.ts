import { createContext, useContext, useEffect } from 'react'

/** `shown`: a value in words, for fields whose value is an id or a code. */
export type FieldLabel = { label: string; shown: ((value: any) => string) | undefined }
/** The labels of a form's fields, by field name. */
export const FieldLabels = createContext<Map<string, FieldLabel> | null>(null)

/** The row of a form as last loaded, including other users' changes since the form was opened. */
export const StoredValues = createContext<object>({})

export function useLabel(name: string, label: string, shown?: FieldLabel['shown']): void {
  const labels = useContext(FieldLabels)
  useEffect(() => void labels?.set(name, { label, shown })) // the choices of a field load after it is drawn
}

/** The names of one or several chosen rows; `none`: the name of no choice. */
export const namesIn =
  (choices: readonly { id: number | string; name: string }[], none = '') =>
  (value: unknown): string => {
    const names = [value].flat().map((id) => choices.find((choice) => choice.id === id)?.name ?? '')
    return names.filter((name) => name !== '').join(', ') || none
  }
