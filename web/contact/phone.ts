import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { completeNumber, isValidNumber } from '#domain/contact/phone.ts'
import { digits, numberSigns } from '#domain/contact/rules.ts'

/** +55 11 98123-4567, +90 532 123 45 67; an id that is no number stays as it is, and so does a number that came masked. */
export function formattedNumber(number: string): string {
  if (!/^[\d\s()+.-]+$/.test(number)) return number
  const whole = isValidNumber(digits(number)) ? digits(number) : completeNumber(number, 'BR') // one that was kept without its country
  const found = parsePhoneNumberFromString(`+${whole}`)
  if (!found?.isPossible()) return number
  const formatted = found.formatInternational()
  return found.countryCallingCode === '55' ? formatted.replace(/ (\d{4})$/, '-$1') : formatted // as it is written there (R-PHONE-03)
}

/** The digits of a whole number, however it was typed or pasted; null: no phone anywhere has it. */
export function wholeNumber(typed: string, country: string): string | null {
  if (!new RegExp(`^[${numberSigns}\\d]+$`).test(typed)) return null
  const whole = completeNumber(typed, country)
  return parsePhoneNumberFromString(`+${whole}`)?.isValid() ? whole : null
}
