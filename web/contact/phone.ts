import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { completeNumber, isValidEntry, isValidNumber } from '#domain/contact/phone.ts'
import { digits, numberSigns } from '#domain/contact/rules.ts'

/** Formats a number: +55 11 98123-4567, +90 532 123 45 67. Ids and masked numbers stay unchanged. */
export function formattedNumber(number: string): string {
  if (!/^[\d\s()+.-]+$/.test(number)) return number
  // a number that was stored without its country
  const whole = isValidNumber(digits(number)) ? digits(number) : completeNumber(number, 'BR')
  const found = parsePhoneNumberFromString(`+${whole}`)
  if (!found?.isPossible()) return number
  const formatted = found.formatInternational()
  return found.countryCallingCode === '55' ? formatted.replace(/ (\d{4})$/, '-$1') : formatted // as Brazilians write it (R-PHONE-03)
}

/** The digits of a complete number, however it was typed; null if no such phone number exists. */
export function wholeNumber(typed: string, country: string): string | null {
  if (!new RegExp(`^[${numberSigns}\\d]+$`).test(typed)) return null
  const whole = completeNumber(typed, country)
  return isValidEntry(typed, whole) ? whole : null
}
