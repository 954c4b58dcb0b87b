import { completeNumber, isValidEntry } from '#domain/contact/phone.ts'
import { numberSigns } from '#domain/contact/rules.ts'
import { countryName, translate } from '#web/i18n.ts'
import type { FieldRules } from '#web/ui/check.ts'
import { numberWords } from './words.ts'

/** Refuses a number that no list could contain. The stored number may stay as it is. */
export const numberRules = (stands: string | undefined, country: string): FieldRules => ({
  number(value) {
    if (typeof value !== 'string' || value.trim() === '' || value === stands) return null
    if (new RegExp(`[^${numberSigns}\\d]`).test(value)) return translate(numberWords, 'letters')
    return isValidEntry(value, completeNumber(value, country))
      ? null
      : translate(numberWords, 'notCalled', { country: countryName(country) })
  },
})
