import { searchable } from '#domain/text/rules.ts'
import type { ImportedContact } from './rules.ts'

/** A field that an import changes, before and after. Of tags: those that the contact has, and those that are added. */
export type ImportChange = { field: string; before: string; after: string }
export type KnownContact = { name: string; email: string; tags: string[] }

/** The same tag, as the database compares names. */
const tagKey = (name: string) => searchable(name.trim().replace(/\s+/g, ' '))

/** What an imported row changes in the contact with its number. An empty field changes nothing, and tags are only added. */
export function importChanges(known: KnownContact, row: ImportedContact): ImportChange[] {
  const changes: ImportChange[] = []
  if (row.name !== known.name) changes.push({ field: 'name', before: known.name, after: row.name })
  if (row.email !== '' && row.email !== known.email) changes.push({ field: 'email', before: known.email, after: row.email })
  const own = new Set(known.tags.map(tagKey))
  const added = row.tags.filter((name) => !own.has(tagKey(name)))
  if (added.length > 0) changes.push({ field: 'tags', before: known.tags.join(', '), after: added.join(', ') })
  return changes
}
