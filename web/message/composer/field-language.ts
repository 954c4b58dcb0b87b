import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * The language in which a contact is probably addressed, for the spell check of the field: the main language of its
 * number's country. Ids and masked numbers tell no country, so the language of the company's customers applies.
 */
export function contactLanguage(number: string, companyLanguage: string): string {
  if (!/^\d{8,15}$/.test(number)) return companyLanguage
  const country = parsePhoneNumberFromString(`+${number}`)?.country
  if (!country) return companyLanguage
  const { language } = new Intl.Locale(`und-${country}`).maximize()
  return language === 'und' ? companyLanguage : `${language}-${country}`
}
