import type { Kysely } from 'kysely'
import { networkOf, numberKey, phoneNetwork } from '#domain/contact/rules.ts'
import type { Database } from '#projections/database.ts'

/**
 * Keeps the number that a user replaces, for messages that were written before. Other ids of the former number, such as a WhatsApp id, no longer
 * lead to this contact, because the new number may be that of another person (A-CONTACT-05).
 */
export async function keepFormerNumber(
  on: Kysely<Database>,
  { id: contactId, companyId, number }: { id: number; companyId: number; number: string },
  next: string,
): Promise<void> {
  if (numberKey(number) === numberKey(next)) return
  const known = on
    .selectFrom('contactIdentity')
    .select(['kind', 'id'])
    .where('contactId', '=', contactId)
    .where('network', '=', networkOf(phoneNetwork))
  const ids = await known.orderBy('kind', 'desc').execute()
  if (!ids.some(({ kind }) => kind === 'phone')) return // only a network id was known, and the number is added to it
  await on
    .insertInto('contactFormerNumber')
    .values({ companyId, contactId, number, ids: JSON.stringify(ids) })
    .execute()
  await on.deleteFrom('contactIdentity').where('contactId', '=', contactId).where('network', '=', networkOf(phoneNetwork)).execute()
}
