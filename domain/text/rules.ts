/** Letters that are no other letter with an accent, and are typed as one all the same; the store folds them so too. */
const typedAs: Record<string, string> = { ı: 'i', ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' }
/** A text as it is searched: without accents and capitals. */
export const searchable = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıøłđßæœ]/g, (letter) => typedAs[letter]!)

/** So far back a letter that a cut would divide may begin, in code units. */
const longestLetter = 64
/** The beginning of a text, at most so many bytes as UTF-8, cut between two letters as people see them. */
export function beginning(text: string, mostBytes: number): string {
  if (text.length * 3 <= mostBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(mostBytes))
  if (read === text.length) return text
  const from = Math.max(0, read - longestLetter)
  const near = new Intl.Segmenter().segment(text.slice(from, read + longestLetter)).containing(read - from)
  return text.slice(0, near && near.index > 0 ? from + near.index : read).toWellFormed()
}
