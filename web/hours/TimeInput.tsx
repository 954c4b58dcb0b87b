import { useState } from 'react'
import { timeMeant } from './time.ts'

/** A time of day as HH:MM, whatever format the browser prefers (R-CONN-09). An invalid text stays as typed. */
export function TimeInput({
  label,
  value,
  wrong,
  onChange,
}: {
  label: string
  value: string
  wrong: boolean
  onChange: (time: string) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <input
      className={`bp6-input nums ${wrong ? 'bp6-intent-danger' : ''}`}
      inputMode="numeric"
      autoComplete="off"
      placeholder="--:--"
      maxLength={5}
      aria-label={label}
      aria-invalid={wrong}
      value={typed ?? value}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        if (text === '' || /^\d\d:\d\d$/.test(text)) onChange(timeMeant(text) ?? text)
      }}
      onBlur={() => {
        if (typed !== null) onChange(timeMeant(typed) ?? typed.trim())
        setTyped(null)
      }}
    />
  )
}
