import { useMemo } from 'react'
import { type ContactField, contactFieldsIn, fieldNamed, typedFieldValue } from '#domain/contact-field/rules.ts'
import { translate, useLanguage, useWords } from '#web/i18n.ts'
import { useSettings } from '#web/session.ts'
import type { FieldRules } from '#web/ui/check.ts'
import { uiWords } from '#web/ui/words.ts'
import { contactWords } from './words.ts'

type Extra = { name: string; value: string }

/** The extra fields to which the company has given a type. */
export function useContactFields(): ContactField[] {
  const { contactFields } = useSettings()
  return useMemo(() => contactFieldsIn(contactFields), [contactFields])
}

/** How a value is shown: a date as a day of the calendar, in no zone. */
export function useFieldText(): (info: Extra) => string {
  const fields = useContactFields()
  const language = useLanguage()
  const t = useWords(uiWords)
  return ({ name, value }) => {
    const kind = fieldNamed(fields, name)?.kind
    if (kind === 'boolean') return value === 'true' ? t('yes') : value === 'false' ? t('no') : value
    if (kind === 'number' && value !== '' && Number.isFinite(Number(value)))
      return new Intl.NumberFormat(language, { maximumFractionDigits: 10 }).format(Number(value))
    if (kind !== 'date' || Number.isNaN(Date.parse(value))) return value
    return new Intl.DateTimeFormat(language, { timeZone: 'UTC' }).format(new Date(value))
  }
}

/** Refuses a number that is none. Other types have inputs that offer only right values. */
export const extraRules = (fields: ContactField[]): FieldRules =>
  Object.fromEntries(
    fields.flatMap((field, at) => {
      const rule = (value: unknown, stored: unknown) =>
        typeof value !== 'string' || value === stored || typedFieldValue(field, value) !== null
          ? null
          : translate(contactWords, 'notANumber')
      return field.kind === 'number' ? [[`extraInfo.${at}.value`, rule] as const] : []
    }),
  )
