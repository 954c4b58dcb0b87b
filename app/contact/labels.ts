import type { Kysely } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { Audited } from '../audit/record.ts'

/** Who a contact is goes with it when it is erased, so an audit says of it only that it changed. */
export const contactList: Audited = { table: 'contact', masked: ['name', 'number', 'email', 'extraInfo'] }

/** The labels and lanes of a contact by their names, as its audit has them. */
export async function labelsOf(on: Kysely<Database>, id: number): Promise<{ id: number; tags: string[] }> {
  const pairs = on.selectFrom('contactTag').innerJoin('tag', 'tag.id', 'contactTag.tagId').where('contactTag.contactId', '=', id)
  return { id, tags: (await pairs.select('tag.name').orderBy('tag.id').execute()).map(({ name }) => name) }
}
