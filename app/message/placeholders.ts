import { type Kysely, sql } from 'kysely'
import type { Viewer } from '#domain/access.ts'
import { textValues } from '#domain/contact/rules.ts'
import { hidesNumbers } from '#domain/setting/contract.ts'
import { filled } from '#domain/ticket/rules.ts'
import type { Database } from '#projections/database.ts'
import { settingsOf } from '../setting/read.ts'

/** The maximum length of a text with its values, in characters. A longer one is filled in by the channel only. */
const longestText = 10_000

/**
 * Fills the placeholders of an agent's texts before they are stored, so that the conversation shows what the customer reads.
 * The number is left to the channel if numbers are masked (A-LGPD-04), or if the contact has several by a merge.
 */
export async function placeholderFiller(
  db: Kysely<Database>,
  { companyId, name: agent }: Viewer,
  { contactId }: { contactId: number },
): Promise<(text: string) => string> {
  const contact = await db
    .selectFrom('contact')
    .innerJoin('contact as shown', 'shown.id', 'contact.personId')
    .select(['shown.name', 'contact.number'])
    .select(
      sql<boolean>`exists (select from contact same where same.person_id = contact.person_id and same.id <> contact.id)`.as('isMerged'),
    )
    .where('contact.id', '=', contactId)
    .executeTakeFirstOrThrow()
  const { numero, ...values } = textValues(contact)
  const isOpen = !contact.isMerged && !hidesNumbers(await settingsOf(db, companyId))
  return (text) => {
    const whole = filled(text, { ...values, atendente: agent, ...(isOpen && { numero }) })
    return whole.length <= longestText ? whole : filled(text, { atendente: agent })
  }
}

/** The same for one text. Most texts have no placeholder, and the contact is not read for them. */
export const fillForTicket = async (db: Kysely<Database>, viewer: Viewer, ticket: { contactId: number }, text: string): Promise<string> =>
  text.includes('{') ? (await placeholderFiller(db, viewer, ticket))(text) : text

/** For texts that are forwarded to another customer, for whom no placeholder may be left. A number that must not be shown is left out. */
export async function forwardFiller(
  db: Kysely<Database>,
  viewer: Viewer,
  source: { contactId: number },
): Promise<(text: string) => string> {
  const fill = await placeholderFiller(db, viewer, source)
  return (text) => filled(fill(text), { numero: '' })
}
