/** Digits of a number as it is stored and compared. */
export const digits = (number: string): string => number.replace(/\D/g, '')

/** A number however it is written; an id of another kind stays as it is. */
export const bareNumber = (text: string): string => (/^[\d\s()+.-]+$/.test(text) ? digits(text) : text)

/** R-PHONE-01: 10 to 13 digits, an optional 55 in front, area code 11 to 99, then 8 digits, or 9 that begin with 9. */
export function brazilian(number: string): boolean {
  const all = digits(number)
  if (all.length < 10 || all.length > 13) return false
  const local = all.length >= 12 && all.startsWith('55') ? all.slice(2) : all
  const area = Number(local.slice(0, 2))
  const rest = local.slice(2)
  return area >= 11 && (rest.length === 8 || (rest.length === 9 && rest.startsWith('9')))
}

/**
 * One key for the ways a number is written, with and without the Brazilian ninth digit (A-CONTACT-02).
 * What is no Brazilian number keeps its digits; an id that has none (an Instagram one) keeps its text.
 */
export function numberKey(number: string): string {
  const all = digits(number)
  if (all.length === 0) return number
  if (!brazilian(all)) return all
  const local = all.length >= 12 ? all.slice(2) : all
  return `55${local.slice(0, 2)}${local.slice(2).slice(-8)}`
}

/** Whoever has no name is called by the number. */
export const isNumber = (name: string): boolean => !/\p{L}/u.test(name) && digits(name).length >= 7
export const maskedName = (name: string): string => (isNumber(name) ? masked(name) : name)

/** Country and area stay, and the last two digits (A-LGPD-04). */
export function masked(number: string): string {
  const all = digits(number)
  if (all.length < 7) return '*'.repeat(number.length)
  return `${all.slice(0, 4)}${'*'.repeat(all.length - 6)}${all.slice(-2)}`
}
