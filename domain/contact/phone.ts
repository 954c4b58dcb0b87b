import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { digits, isNumber, lidEnding } from './rules.ts'

/* Phone numbers by international numbering plans. A number from a network is complete; a typed one may lack its country. */

/** R-PHONE-01, without the country code: area code 11 to 99, then 8 digits, or 9 digits that begin with 9. */
const brazilianLocal = /^(1[1-9]|[2-9][0-9])(9[0-9]{8}|[0-9]{8})$/
const isBrazilian = (whole: string): boolean => whole.startsWith('55') && brazilianLocal.test(whole.slice(2))

/** Whether a complete number, in digits, is valid in its country (A-PHONE-03). */
export const isValidNumber = (whole: string): boolean =>
  whole.startsWith('55') ? isBrazilian(whole) : parsePhoneNumberFromString(`+${withoutOldMobileDigit(whole)}`)?.isValid() === true

/**
 * Returns the digits of a typed or imported number, completed by the company's country (A-PHONE-02). A number that is
 * invalid in that country is read as a complete foreign number; otherwise its digits stay. `country`: ISO 3166, such as BR.
 */
export function completeNumber(typed: string, country: string): string {
  const whole = typed.includes('+')
  const all = whole ? withoutOldMobileDigit(digits(typed)) : digits(typed)
  if (!whole && country === 'BR' && brazilianLocal.test(all)) return `55${all}`
  if (all.length > 20 || !isSupportedCountry(country)) return all
  /* Dialling prefixes (zeros, carrier code) are not part of the number. */
  const found = parsePhoneNumberFromString(whole ? `+${all}` : all, country)?.number.slice(1) ?? ''
  // BR reads 90 as the prefix of a collect call, but 90 532 123 45 67 is a number of Turkey
  if (!whole && all.length >= shortestForeign && !all.startsWith('0') && !found.endsWith(all) && isValidNumber(all)) return all
  const isOfCountry = found.startsWith('55') ? isBrazilian(found) : country !== 'BR' || whole || all.startsWith('00')
  if (isOfCountry && isValidNumber(found)) return found
  return whole ? all.replace(/^550(?=\d{10,11}$)/, '55') : all.replace(/^00/, '')
}

/** Mexico no longer writes a 1 between the country and a mobile number, but WhatsApp does. */
const withoutOldMobileDigit = (all: string): string => all.replace(/^521(?=\d{10}$)/, '52')

/** A shorter number without a plus sign lacks its area code or country, in digits. */
const shortestForeign = 10
/**
 * Whether a typed number is a valid phone number. `number`: the same by `completeNumber`. Nine digits of Brazil without their
 * area code are no number of the country with which they happen to begin (A-PHONE-02).
 */
export function isValidEntry(typed: string, number: string): boolean {
  const isIncomplete = number === digits(typed) && number.length < shortestForeign && !typed.includes('+')
  return !isIncomplete && number.length >= 8 && isValidNumber(number)
}

/** The sign of a mobile number in international notation, which is not written inside the country: Mexico and Argentina. */
const mobileSigns: Record<string, RegExp> = { 52: /^1(?=\d{10}$)/, 54: /^9(?=\d{10}$)/ }
/**
 * The country code of a complete number, and its digits as they are written inside the country: the national number, and its usual notation, which
 * may begin with a trunk prefix. Null: the number fits no country.
 */
export function nationalForms(whole: string): { code: string; forms: [national: string, ...others: string[]] } | null {
  if (isBrazilian(whole)) return { code: '55', forms: [whole.slice(2)] }
  const found = parsePhoneNumberFromString(`+${whole}`)
  if (!found) return null
  const { countryCallingCode: code, nationalNumber: national } = found
  const inside = national.replace(mobileSigns[code] ?? '', '')
  if (!found.isPossible() && inside === national) return null
  return { code, forms: [national, inside, digits(found.formatNational())] }
}

/** Keeps country, area and the last two digits (A-LGPD-04). Masks all of a short number or of an id that is no number. */
export function masked(number: string): string {
  const all = digits(number)
  if (all.length < 7 || number.endsWith(lidEnding)) return '*'.repeat(number.length)
  const shown = Math.min(leadingDigits(all), all.length - 5)
  return `${all.slice(0, shown)}${'*'.repeat(all.length - shown - 2)}${all.slice(-2)}`
}
/** The number of digits of country and area code. Area codes are known for Brazil and North America only. */
function leadingDigits(all: string): number {
  if (isBrazilian(all)) return 4
  const found = parsePhoneNumberFromString(`+${all}`)
  if (found?.isValid()) return found.countryCallingCode === '1' ? 4 : found.countryCallingCode.length
  return 2 // a Brazilian area code without the country, or an unknown format
}

/** Masks the numbers inside a name. */
export const maskedName = (name: string): string => {
  const plain = name.normalize('NFKC')
  return isNumber(plain) ? masked(plain) : plain.replace(/\+?\d[\d\s().-]{5,20}\d/g, masked)
}
