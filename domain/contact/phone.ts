import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { digits, isNumber, lidEnding } from './rules.ts'

/* Phone numbers by the numbering plans of the world. A number that a network tells is whole; one that a person types may lack its country. */

/** R-PHONE-01, without the country: area code 11 to 99, then 8 digits, or 9 that begin with 9. */
const brazilianLocal = /^(1[1-9]|[2-9][0-9])(9[0-9]{8}|[0-9]{8})$/
const isBrazilian = (whole: string): boolean => whole.startsWith('55') && brazilianLocal.test(whole.slice(2))

/** Whether a whole number, in digits, is valid in its own country (A-PHONE-03). */
export const isValidNumber = (whole: string): boolean =>
  whole.startsWith('55') ? isBrazilian(whole) : parsePhoneNumberFromString(`+${whole}`)?.isValid() === true

/**
 * The digits of a number that a person typed or imports, completed by the company's country (A-PHONE-02). What is no number of that country
 * is read as a whole number of another; what is neither keeps its digits. `country`: as ISO 3166 names it, such as BR.
 */
export function completeNumber(typed: string, country: string): string {
  const all = digits(typed)
  const whole = typed.includes('+')
  if (!whole && country === 'BR' && brazilianLocal.test(all)) return `55${all}`
  if (all.length > 20 || !isSupportedCountry(country)) return all
  /* The zeros and the carrier that are dialled before an area or a country are no part of the number. */
  const found = parsePhoneNumberFromString(whole ? `+${all}` : all, country)?.number.slice(1) ?? ''
  const isOfCountry = found.startsWith('55') ? isBrazilian(found) : country !== 'BR' || whole || all.startsWith('00')
  if (isOfCountry && isValidNumber(found)) return found
  return whole ? all.replace(/^550(?=\d{10,11}$)/, '55') : all.replace(/^00/, '')
}

/** Country and area stay, and the last two digits (A-LGPD-04); of an id that is no number, and of a short one, nothing stays. */
export function masked(number: string): string {
  const all = digits(number)
  if (all.length < 7 || number.endsWith(lidEnding)) return '*'.repeat(number.length)
  const shown = Math.min(leadingDigits(all), all.length - 5)
  return `${all.slice(0, shown)}${'*'.repeat(all.length - shown - 2)}${all.slice(-2)}`
}
/** How many digits are those of country and area; areas are known of Brazil and of North America. */
function leadingDigits(all: string): number {
  if (isBrazilian(all)) return 4
  const found = parsePhoneNumberFromString(`+${all}`)
  if (found?.isValid()) return found.countryCallingCode === '1' ? 4 : found.countryCallingCode.length
  return 2 // an area of Brazil without its country, or nothing that is known
}

/** A name without the numbers that stand in it. */
export const maskedName = (name: string): string => {
  const plain = name.normalize('NFKC')
  return isNumber(plain) ? masked(plain) : plain.replace(/\+?\d[\d\s().-]{5,20}\d/g, masked)
}
