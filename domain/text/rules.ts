/** Letters that are not an accented base letter but are typed as one. The database folds them in the same way. */
const typedAs: Record<string, string> = { ı: 'i', ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' }
/** Normalizes a text for search: lower case, without accents. */
export const searchable = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıøłđßæœ]/g, (letter) => typedAs[letter]!)

/** The same, with the place in the text of each letter of the result, and of its end. */
export function searchableWithPlaces(text: string): { found: string; places: number[] } {
  const places: number[] = []
  let [found, at] = ['', 0]
  for (const letter of text) {
    const plain = searchable(letter)
    for (let i = 0; i < plain.length; i++) places.push(at)
    found += plain
    at += letter.length
  }
  return { found, places: [...places, at] }
}

/** Maximum length of one visible character, in code units. */
const longestLetter = 64
/** The beginning of a text with at most `mostBytes` bytes of UTF-8, cut between two visible characters. */
export function beginning(text: string, mostBytes: number): string {
  if (text.length * 3 <= mostBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes))
  if (read === text.length) return text
  const from = Math.max(0, read - longestLetter)
  const near = new Intl.Segmenter().segment(text.slice(from, read + longestLetter)).containing(read - from)
  return text.slice(0, near && near.index > 0 ? from + near.index : read).toWellFormed()
}

/** A name as a page shows it, with one space between its words. */
export const singleSpaced = (name: string): string => name.trim().replace(/\s+/g, ' ')
/** What two names have in common that are spelled the same but for case, accents and blanks. */
export const nameKey = (name: string): string => searchable(singleSpaced(name))

/** The sign that replaces a text that was erased on request. */
export const erasedText = '⌫'
/** Whether nothing of a text is left, perhaps after the sign of its kind. */
export const isErasedText = (text: string): boolean => text === erasedText || /^[^\p{L}\p{N}]{1,4} ⌫$/u.test(text)
