/** R-INBOX-04: at most so many characters, whole ones. */
export function cut(text: string, most: number): string {
  const whole = [...text]
  return whole.length <= most
    ? text
    : `${whole
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
const signed = /^(\p{Extended_Pictographic}\ufe0f?\s)?\*[^*\n]{1,60}:\*\s+/u
/** The name that signing put before what was written (A-MSG-01). */
export const signature = (text: string): string => signed.exec(text)?.[0] ?? ''
/** The last message in one line: without our signature, which the card says already, and without the marks of phones. */
export const lastLine = (text: string, ours: boolean): string =>
  (ours ? text.replace(signed, '$1') : text).replace(/(^|[\s(])([*_~])(\S(?:.*?\S)?)\2(?=$|[\s).,;:!?])/g, '$1$3')
/** What names the card's row in the list. */
export const cardId = (id: number): string => `ticket-${id}`
export const untitled = '—'
