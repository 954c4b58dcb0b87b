import { nationalForms } from '#domain/contact/phone.ts'
import { numberForms } from '#domain/contact/rules.ts'
import { erasedText, searchable, searchableWithPlaces } from '#domain/text/rules.ts'

/** How an erased person is found while the erasure runs. `files`: the files that their tickets name, once the events were read. */
export type ErasedPerson = {
  name: string
  number: string
  /** The contact and those merged into it, with their names and e-mail addresses (A-MERGE-01). */
  contacts: number[]
  names: string[]
  emails: string[]
  /** Every id and key by which a network knows the person. */
  ids: string[]
  files: string[] | null
  /** The streams of other people in which fields were redacted. */
  streams: string[]
}
type Numbered = Pick<ErasedPerson, 'number' | 'ids'>

/** Shorter runs of digits occur by chance in texts of other people. */
const shortestNumber = 8
/** A number of the person. `code`: the country code that must precede the digits, or may. */
type Written = { code: string; digits: string; isCodeNeeded: boolean }
function writtenNumbers({ number, ids }: Numbered): Written[] {
  const all = [number, ...ids].map((id) => id.split('@')[0]!.replace(/^\+/, '')).filter((id) => /^\d+$/.test(id))
  const written = all.flatMap(numberForms).flatMap((whole): Written[] => {
    if (whole.length < shortestNumber) return []
    const { code, forms } = nationalForms(whole) ?? { code: '', forms: [whole] }
    return forms.map((digits) => ({ code, digits, isCodeNeeded: digits.length < shortestNumber }))
  })
  return [...new Map(written.map((one) => [`${one.code} ${one.digits}`, one])).values()]
}

/** The digits of the person's numbers: with the country code, and as they are written inside the country. */
export function numberDigits(person: Numbered): string[] {
  const all = writtenNumbers(person).flatMap(({ code, digits, isCodeNeeded }) =>
    isCodeNeeded ? [code + digits] : [code + digits, digits, `0${digits}`],
  )
  return [...new Set(all)]
}

/** What may separate two digits of a number. */
const gap = '\\W{0,4}'
const spaced = (digits: string) => [...digits].join(gap)
/** A trunk prefix, perhaps with the code of a carrier, or the prefix of an international call. */
const prefix = `(?:0\\d{0,2}${gap})?`
/** The number of another country ends with the same digits. */
const noOtherCode = '(?<!(?:\\+|00)\\d{1,3}\\W{0,3})'
function patternOf({ code, digits, isCodeNeeded }: Written): string {
  const before = [
    ...(code === '' ? [] : [`[+(]{0,2}${prefix}${spaced(code)}${gap}${prefix}`]),
    ...(isCodeNeeded ? [] : [`${noOtherCode}[+(]{0,2}${prefix}`]),
  ]
  return `(?<!\\d)(?:${before.join('|')})${spaced(digits)}(?!\\d)`
}
/**
 * Regular expressions, for this program and for Postgres, that find the person's numbers in any notation. `quick` finds more, and takes a fraction of
 * the time. Null: the person has no number.
 */
export function numberPatterns(person: Numbered): { quick: string; exact: string } | null {
  const numbers = writtenNumbers(person)
  if (numbers.length === 0) return null
  return { quick: numbers.map(({ digits }) => spaced(digits)).join('|'), exact: numbers.map(patternOf).join('|') }
}

/** A name that can be searched in texts of other people: a first name alone would find many persons. */
export const isDistinctName = (name: string): boolean => name.trim().length >= 8 && /[\p{L}\p{N}][^\p{L}\p{N}]+[\p{L}\p{N}]/u.test(name)
/** The addresses that can be searched in texts. */
export const emailsOf = ({ emails }: Pick<ErasedPerson, 'emails'>): string[] =>
  emails.map((one) => one.trim()).filter((one) => /.@./.test(one))

/**
 * What may not precede or follow an address or a name in a text without case and accents, for this program and for Postgres: the address would be
 * another one, such as joana@x.test for ana@x.test, and so would the name.
 */
export const emailEdges = { before: '(?<![a-z0-9.%+-]|[a-z0-9]_)', after: '(?![.]?[a-z0-9])' }
export const nameEdges = { before: '(?<![a-z0-9])', after: '' }
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const patternFor = (text: string, { before, after }: typeof emailEdges) =>
  before + searchableWithPlaces(text.trim()).found.split(/\s+/).map(escaped).join('\\s+') + after
const emailPattern = (email: string) => patternFor(email, emailEdges)
const namePattern = (name: string) => patternFor(name, nameEdges)
const anyOf = (patterns: string[], flags: 'g' | ''): RegExp | null =>
  patterns.length > 0 ? new RegExp(patterns.join('|'), `${flags}u`) : null

/** Tells whether a text names the person by number or e-mail address. */
export function createPersonMatcher(person: Numbered & Pick<ErasedPerson, 'emails'>): (text: string) => boolean {
  const numbers = numberPatterns(person)
  const [number, email] = [anyOf(numbers ? [numbers.exact] : [], ''), anyOf(emailsOf(person).map(emailPattern), '')]
  return (text) => number?.test(text) === true || (email !== null && text.includes('@') && email.test(searchable(text)))
}

/** Replaces the person's number in any notation, the e-mail address and the full name in a text by a sign. */
export function createPersonEraser(person: Numbered & Pick<ErasedPerson, 'emails' | 'names'>): (text: string, sign?: string) => string {
  const numbers = numberPatterns(person)
  const names = person.names.filter(isDistinctName).map(namePattern)
  const pattern = anyOf([...(numbers ? [numbers.exact] : []), ...emailsOf(person).map(emailPattern), ...names], 'g')
  if (!pattern) return (text) => text
  return (text, sign = erasedText) => {
    const { found, places } = searchableWithPlaces(text)
    let [result, from] = ['', 0]
    for (const { index, 0: match } of found.matchAll(pattern)) {
      result += text.slice(from, places[index]) + sign
      from = places[index + match.length]!
    }
    return from === 0 ? text : result + text.slice(from)
  }
}
