import { useState } from 'react'

/** What is meant by a time that is typed: 9, 930, 9h30 and 09:30; null where it is none. */
export function timeMeant(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return ''
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:h.]?(\d{2}))?h?$/.exec(text) ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes}`
}

/** A time of day as HH:MM, whatever way the browser writes its own (R-CONN-09). What is no time is not taken. */
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
  const [typed, type] = useState<string | null>(null)
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
        type(text)
        if (text === '' || /^\d\d:\d\d$/.test(text)) onChange(timeMeant(text) ?? value)
      }}
      onBlur={() => {
        if (typed !== null) onChange(timeMeant(typed) ?? value)
        type(null)
      }}
    />
  )
}
