import { type ExtraField, withExtraFields } from '#domain/contact-field/rules.ts'
import { nameKey } from '#domain/text/rules.ts'
import type { ImportField } from './contract.ts'
import type { ImportedContact } from './rules.ts'

/** A field that an import changes, before and after. Of tags: those that the contact has, and those that are added. `name`: of an extra field. */
export type ImportChange = { field: ImportField; name: string; before: string; after: string }
export type KnownContact = { name: string; email: string; tags: string[]; extraInfo: ExtraField[] }

/** What an imported row changes in the contact with its number. An empty field changes nothing, and tags are only added. */
export function importChanges(known: KnownContact, row: ImportedContact): ImportChange[] {
  const changes: ImportChange[] = []
  if (row.name !== known.name) changes.push({ field: 'name', name: '', before: known.name, after: row.name })
  if (row.email !== '' && row.email !== known.email) changes.push({ field: 'email', name: '', before: known.email, after: row.email })
  const tagged = new Set(known.tags.map(nameKey))
  const added = row.tags.filter((name) => !tagged.has(nameKey(name)))
  if (added.length > 0) changes.push({ field: 'tags', name: '', before: known.tags.join(', '), after: added.join(', ') })
  const own = (name: string) => known.extraInfo.filter((one) => nameKey(one.name) === nameKey(name))
  for (const { name, value } of withExtraFields(known.extraInfo, row.extra))
    if (!own(name).some((one) => one.value === value))
      changes.push({
        field: 'extra',
        name,
        before: own(name)
          .map((one) => one.value)
          .join(', '),
        after: value,
      })
  return changes
}
