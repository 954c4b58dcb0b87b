import type { ComponentProps, SyntheticEvent } from 'react'
import { badEntry, badEntryType, type EntryType } from './bad-entry.ts'

type Of = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type'> & {
  type: EntryType
  value: string
  /** Receives the value, or `badEntry(type)` for an impossible one. The browser itself would report that as empty. */
  onEntry: (value: string) => void
}

/** The only input of the types date, time and number. */
export function EntryInput({ type, value, onEntry, onBlur, onKeyDown, ...input }: Of) {
  const isBad = badEntryType(value) !== null
  // An empty input that becomes a wrong one changes no value, so there is no change event.
  const check = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => {
    const { badInput } = currentTarget.validity
    if (badInput !== isBad) onEntry(badInput ? badEntry(type) : currentTarget.value)
  }
  return (
    <input
      {...input}
      type={type}
      value={isBad ? '' : value}
      onChange={({ currentTarget }) => onEntry(currentTarget.validity.badInput ? badEntry(type) : currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') check(event)
        onKeyDown?.(event)
      }}
      onBlur={(event) => {
        check(event)
        onBlur?.(event)
      }}
    />
  )
}
