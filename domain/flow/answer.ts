import { searchable } from '#domain/text/rules.ts'

/** What a customer answered to a menu: one of its choices by its place, one level up, the first menu, or nothing that it offers. */
export type Understood = { choice: number } | 'back' | 'first' | null

/** By the number that they mean; as they are written without accents. */
const numberWords = [
  ['zero', 'cero', 'sifir'],
  ['um', 'uma', 'one', 'uno', 'una', 'bir'],
  ['dois', 'duas', 'two', 'dos', 'iki'],
  ['tres', 'three', 'uc'],
  ['quatro', 'four', 'cuatro', 'dort'],
  ['cinco', 'five', 'bes'],
  ['seis', 'six', 'alti'],
  ['sete', 'seven', 'siete', 'yedi'],
  ['oito', 'eight', 'ocho', 'sekiz'],
  ['nove', 'nine', 'nueve', 'dokuz'],
  ['dez', 'ten', 'diez', 'on'],
]
const numbers = new Map(numberWords.flatMap((all, n) => all.map((word) => [word, n] as const)))

/** As it is compared: one kind of digit and letter, without accents and capitals, and without what people put around an answer. */
export const bare = (text: string): string =>
  trimmed(
    searchable(
      text
        .slice(0, longestAnswer)
        .normalize('NFKC')
        .replace(/[\uFE0F\u20E3]/gu, ''),
    ).replace(/\s+/gu, ' '),
  )
/** Longer than any menu line; what follows is no answer. */
const longestAnswer = 5000
const around = new Set(' \t\n*_~[](){}"\'“”.,:;!?-')
/** An expression for both ends takes quadratic time. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && around.has(text[start]!)) start++
  while (end > start && around.has(text[end - 1]!)) end--
  return text.slice(start, end)
}

/** The number that a word or digits alone stand for. */
export const numberIn = (word: string): number | undefined => (/^\d{1,3}$/.test(word) ? Number(word) : numbers.get(word))

/** How the ways up are called below the first menu, in the company's words; null: it is the first. */
export type Ways = { back: string; first: string } | null

/** `names`: of the choices, in their order. Only text is an answer: null where something else was sent. */
export function understood(text: string | null, names: string[], ways: Ways): Understood {
  if (text === null) return null
  const answer = bare(text)
  const number = /^\d{1,3}$/.test(answer) ? Number(answer) : null
  if (number !== null && number >= 1 && number <= names.length) return { choice: number - 1 }
  const named = names.findIndex((name) => bare(name) === answer && answer !== '')
  if (named >= 0) return { choice: named }
  const meant = numberIn(answer)
  if (ways && (meant === 0 || answer === bare(ways.back))) return 'back'
  if (ways && (answer === '#' || answer === bare(ways.first))) return 'first'
  return meant !== undefined && meant >= 1 && meant <= names.length ? { choice: meant - 1 } : null
}
