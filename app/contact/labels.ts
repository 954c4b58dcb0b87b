import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { Audited } from '../audit/record.ts'

/** Personal fields are erased with the contact, so the audit log records only that they changed. */
export const contactList: Audited = { table: 'contact', masked: ['name', 'number', 'email', 'extraInfo'] }

/** The labels and lanes of a contact by name, for the audit log. */
export async function labelsOf(on: Kysely<Database>, id: number): Promise<{ id: number; tags: string[] }> {
  const pairs = on.selectFrom('contactTag').innerJoin('tag', 'tag.id', 'contactTag.tagId').where('contactTag.contactId', '=', id)
  return { id, tags: (await pairs.select('tag.name').orderBy('tag.id').execute()).map(({ name }) => name) }
}
