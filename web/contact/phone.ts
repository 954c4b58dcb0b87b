import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { brazilian, digits } from '#domain/contact/rules.ts'

/** +55 11 98123-4567, +90 532 123 45 67; an id that is no number stays as it is, and so does a number that came masked. */
export function shownNumber(number: string): string {
  if (!/^[\d\s()+.-]+$/.test(number)) return number
  const all = digits(number)
  const local = !number.includes('+') && all.length <= 11 && brazilian(all)
  const found = parsePhoneNumberFromString(local ? `+55${all}` : `+${all}`)
  if (!found?.isPossible()) return number
  const shown = found.formatInternational()
  return found.countryCallingCode === '55' ? shown.replace(/ (\d{4})$/, '-$1') : shown // as it is written there (R-PHONE-03)
}
