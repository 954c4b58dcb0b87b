import { searchable } from '#domain/text/rules.ts'

/** A customer's answer to a menu: the index of a choice, one level up, the first menu, or null if not understood. */
export type ParsedAnswer = { choice: number } | 'back' | 'first' | null

/** Number words by their value, without accents. */
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

/** Normalizes an answer for comparison: no accents, case, signature or surrounding punctuation. */
export const normalizeAnswer = (text: string): string => trimmed(searchable(unsigned(text)).replace(/\s+/gu, ' '))
const unsigned = (text: string): string => withoutSignature(normalizeDigits(text.slice(0, longestAnswer)).trim())
/** Normalizes an answer for comparison, without emoji and polite words: "De acordo, obrigado 👍" becomes "de acordo". */
export const normalizePlainAnswer = (text: string): string => normalizeAnswer(plainWords(unsigned(text)))
/** Normalizes digits and removes invisible marks (direction, joiners, variation selectors, keycap frame). */
export const normalizeDigits = (text: string): string =>
  text
    .replaceAll('🔟', '10')
    .normalize('NFKC')
    .replace(/\p{Cf}|\uFE0F|\u20E3/gu, '')
/** Removes a signature that the customer's app adds: "*Maria:*" on its own line, or bold before the text. */
export function withoutSignature(text: string): string {
  const end = text.indexOf('\n')
  const line = (end < 0 ? '' : text.slice(0, end)).trim()
  const isName = /[\p{L})][*_]?\s?:[*_]?$/u.test(line) || /^([*_])[^*_\n]{1,58}\1$/u.test(line)
  if (line.length <= longestSignature && isName && text.slice(end).trim() !== '') return text.slice(end).trim()
  const bold = /^\*[^*\n]{1,60}:\*\s/u.exec(text)
  return bold ? text.slice(bold[0].length).trim() : text
}
const longestSignature = 60
/** In characters. Longer than any menu line; the rest of a message is ignored. */
const longestAnswer = 5000
const around = new Set(' \t\n*_~[](){}"\'“”.,:;!?-')
/** A loop, because a regular expression for both ends takes quadratic time. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && around.has(text[start]!)) start++
  while (end > start && around.has(text[end - 1]!)) end--
  return text.slice(start, end)
}

/** The number that a word or a digit string means. */
export const numberIn = (word: string): number | undefined => (/^\d{1,3}$/.test(word) ? Number(word) : numbers.get(word))

/** Words that people write before the number of a choice, without accents. */
const leadingWords = new Set(
  [
    'a',
    'o',
    'la',
    'el',
    'the',
    'opcao',
    'opcion',
    'option',
    'secenek',
    'numero',
    'number',
    'numara',
    'num',
    'nr',
    'n',
    'no',
    'item',
  ].concat(['digito', 'tecla', 'quero', 'escolho', 'quiero', 'elijo', 'choose', 'choice', 'escolha']),
)
const withoutLeadingWords = (answer: string): string => {
  const words = answer.split(' ')
  const first = words.findIndex((word) => !leadingWords.has(trimmed(word)))
  return first <= 0 ? '' : trimmed(words.slice(first).join(' '))
}

/** The names of the "back" and "first menu" entries in the company's language; null: this is the first menu. */
export type Ways = { back: string; first: string } | null

/** Finds the choice that an answer means. `names`: the choices in order. `text` null: the message is no text. */
export function parseAnswer(text: string | null, names: string[], ways: Ways): ParsedAnswer {
  if (text === null) return null
  const message = unsigned(text)
  return matchAnswer(message, names, ways) ?? matchAnswer(plainWords(message.split('\n')[0]!), names, ways) // an app may add lines after the first
}
/** Removes emoji and polite words after an answer. */
const plainWords = (line: string): string => {
  const words = line
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}/gu, ' ')
    .trim()
    .split(/\s+/u)
  while (words.length > 1 && politeWords.has(normalizeAnswer(words.at(-1)!))) words.pop()
  return words.join(' ').replace(/^>+\s?/u, '')
}
const politeWords = new Set([
  'por',
  'favor',
  'pf',
  'pfv',
  'pls',
  'please',
  'obrigado',
  'obrigada',
  'obg',
  'gracias',
  'thanks',
  'lutfen',
  'ok',
])

function matchAnswer(text: string, names: string[], ways: Ways): ParsedAnswer {
  const answer = normalizeAnswer(text)
  const number = /^\d{1,3}$/.test(answer) ? Number(answer) : null
  if (number !== null && number >= 1 && number <= names.length) return { choice: number - 1 }
  const named = names.findIndex((name) => normalizeAnswer(name) === answer && answer !== '')
  if (named >= 0) return { choice: named }
  const line = menuLine(answer, names, ways) ?? menuLine(withoutLeadingWords(answer), names, ways)
  if (line) return line
  const meant = numberIn(answer) ?? numberIn(withoutLeadingWords(answer))
  if (ways && (meant === 0 || answer === normalizeAnswer(ways.back))) return 'back'
  if (ways && (answer === '#' || answer === normalizeAnswer(ways.first))) return 'first'
  return meant !== undefined && meant >= 1 && meant <= names.length ? { choice: meant - 1 } : null
}

/** Matches a copied menu line such as "*[ 1 ]* - Sales": a number followed by the name or its beginning. */
function menuLine(answer: string, names: string[], ways: Ways): ParsedAnswer {
  const sign = /^(?:\d{1,3}|#)/.exec(answer)?.[0] ?? ''
  const rest = trimmed(answer.slice(sign.length))
  if (sign === '' || rest.length < shortestName) return null
  const isRest = (name: string | undefined) => name !== undefined && normalizeAnswer(name).startsWith(rest)
  if (sign === '#') return ways && isRest(ways.first) ? 'first' : null
  if (Number(sign) === 0) return ways && isRest(ways.back) ? 'back' : null
  return isRest(names[Number(sign) - 1]) ? { choice: Number(sign) - 1 } : null
}
/** Minimum length of the name after the number. */
const shortestName = 3
