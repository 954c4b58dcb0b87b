import { type ContactField, type ExtraField, fieldNamed, typedFieldValue } from '#domain/contact-field/rules.ts'
import { nameKey } from '#domain/text/rules.ts'

/** The rows of a form: each typed field once, in its order and also without a value, then the others. */
export function extraRows(fields: ContactField[], own: readonly ExtraField[]): ExtraField[] {
  const rest = own.map(({ name, value }) => ({ name, value }))
  const typed = fields.map(({ name }) => {
    const at = rest.findIndex((info) => nameKey(info.name) === nameKey(name))
    return at === -1 ? { name, value: '' } : rest.splice(at, 1)[0]!
  })
  return [...typed, ...rest]
}
/** The rows without typed fields that have no value. Numbers get a decimal point. */
export const filledRows = (fields: ContactField[], rows: readonly ExtraField[]): ExtraField[] =>
  rows.flatMap(({ name, value }) => {
    const field = fieldNamed(fields, name)
    if (field && value.trim() === '') return []
    return [{ name, value: (field?.kind === 'number' && typedFieldValue(field, value)) || value }]
  })
