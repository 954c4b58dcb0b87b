/** Parses a typed time: 9, 930, 9h30 or 09:30. Returns null if it is invalid. */
export function timeMeant(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return ''
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:h.]?(\d{2}))?h?$/.exec(text) ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes}`
}
