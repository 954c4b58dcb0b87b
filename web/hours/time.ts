/** What is meant by a time that is typed: 9, 930, 9h30 and 09:30; null where it is none. */
export function timeMeant(typed: string): string | null {
  const text = typed.trim()
  if (text === '') return ''
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[:h.]?(\d{2}))?h?$/.exec(text) ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes}`
}
