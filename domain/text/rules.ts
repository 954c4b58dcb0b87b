/** Letters that are no other letter with an accent, and are typed as one all the same; the store folds them so too. */
const typedAs: Record<string, string> = { ı: 'i', ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe' }
/** A text as it is searched: without accents and capitals. */
export const searchable = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ıøłđßæœ]/g, (letter) => typedAs[letter]!)
