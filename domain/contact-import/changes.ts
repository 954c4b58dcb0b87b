import { type ExtraField, withExtraFields } from '#domain/contact-field/rules.ts'
import { nameKey, singleSpaced } from '#domain/text/rules.ts'
import type { ImportField } from './contract.ts'
import type { ImportedContact } from './rules.ts'

/** A field that an import changes, before and after. Of tags: those that the contact has, and those that are added. `name`: of an extra field. */
export type ImportChange = { field: ImportField; name: string; before: string; after: string }
export type KnownContact = { name: string; email: string; tags: string[]; extraInfo: ExtraField[] }

const wordsOf = (name: string) => nameKey(name).split(' ')
/** Whether a name has the words of a longer one, in their order, and not all. */
function isShorter(name: string, longer: string): boolean {
  const words = wordsOf(name)
  let found = 0
  for (const word of wordsOf(longer)) if (word === words[found]) found++
  return found === words.length && words.length < wordsOf(longer).length
}
/** The name after an import. Spaces alone do not change it, and parts of a name do not replace a longer one. */
export const importedName = (known: string, { name, hasNameParts }: ImportedContact): string =>
  name === singleSpaced(known) || (hasNameParts && isShorter(name, known)) ? known : name

/** What an imported row changes in the contact with its number. An empty field changes nothing, and tags are only added. */
export function importChanges(known: KnownContact, row: ImportedContact): ImportChange[] {
  const changes: ImportChange[] = []
  const name = importedName(known.name, row)
  if (name !== known.name) changes.push({ field: 'name', name: '', before: known.name, after: name })
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
