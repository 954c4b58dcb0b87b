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

/** As it is compared: one kind of digit and letter, without accents and capitals, and without what people and apps put around an answer. */
export const bare = (text: string): string =>
  trimmed(searchable(withoutSignature(legible(text.slice(0, longestAnswer)).trim())).replace(/\s+/gu, ' '))
/** One kind of digit, without the marks that nobody sees (directions, joiners, variants, the frame of a keycap). */
export const legible = (text: string): string =>
  text
    .replaceAll('🔟', '10')
    .normalize('NFKC')
    .replace(/\p{Cf}|\uFE0F|\u20E3/gu, '')
/** Without the name that an app of the customer's writes over their words: "*Maria:*", alone in its line, or bold before the rest of it. */
export function withoutSignature(text: string): string {
  const end = text.indexOf('\n')
  const line = (end < 0 ? '' : text.slice(0, end)).trim()
  const isName = /[\p{L})][*_]?\s?:[*_]?$/u.test(line) || /^([*_])[^*_\n]{1,58}\1$/u.test(line)
  if (line.length <= longestSignature && isName && text.slice(end).trim() !== '') return text.slice(end).trim()
  const bold = /^\*[^*\n]{1,60}:\*\s/u.exec(text)
  return bold ? text.slice(bold[0].length).trim() : text
}
const longestSignature = 60
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

/** What people put before the number of a choice; as it is written without accents. */
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

/** How the ways up are called below the first menu, in the company's words; null: it is the first. */
export type Ways = { back: string; first: string } | null

/** `names`: of the choices, in their order. Only text is an answer: null where something else was sent. */
export function understood(text: string | null, names: string[], ways: Ways): Understood {
  if (text === null) return null
  const said = withoutSignature(legible(text.slice(0, longestAnswer)).trim())
  return meantBy(said, names, ways) ?? meantBy(plainWords(said.split('\n')[0]!), names, ways) // behind the first line: what an app adds
}
/** Without emoji and without what is said out of politeness behind an answer. */
const plainWords = (line: string): string => {
  const words = line
    .replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}/gu, ' ')
    .trim()
    .split(/\s+/u)
  while (words.length > 1 && politeWords.has(bare(words.at(-1)!))) words.pop()
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

function meantBy(text: string, names: string[], ways: Ways): Understood {
  const answer = bare(text)
  const number = /^\d{1,3}$/.test(answer) ? Number(answer) : null
  if (number !== null && number >= 1 && number <= names.length) return { choice: number - 1 }
  const named = names.findIndex((name) => bare(name) === answer && answer !== '')
  if (named >= 0) return { choice: named }
  const line = menuLine(answer, names, ways) ?? menuLine(withoutLeadingWords(answer), names, ways)
  if (line) return line
  const meant = numberIn(answer) ?? numberIn(withoutLeadingWords(answer))
  if (ways && (meant === 0 || answer === bare(ways.back))) return 'back'
  if (ways && (answer === '#' || answer === bare(ways.first))) return 'first'
  return meant !== undefined && meant >= 1 && meant <= names.length ? { choice: meant - 1 } : null
}

/** A line of the menu as it was copied, such as "*[ 1 ]* - Sales": the number with the name behind it, or with how that begins. */
function menuLine(answer: string, names: string[], ways: Ways): Understood {
  const sign = /^(?:\d{1,3}|#)/.exec(answer)?.[0] ?? ''
  const rest = trimmed(answer.slice(sign.length))
  if (sign === '' || rest.length < shortestName) return null
  const isRest = (name: string | undefined) => name !== undefined && bare(name).startsWith(rest)
  if (sign === '#') return ways && isRest(ways.first) ? 'first' : null
  if (Number(sign) === 0) return ways && isRest(ways.back) ? 'back' : null
  return isRest(names[Number(sign) - 1]) ? { choice: Number(sign) - 1 } : null
}
/** Fewer letters behind a number are no name. */
const shortestName = 3
