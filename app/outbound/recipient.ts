import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { textValues } from '#domain/contact/rules.ts'
import { hidesNumbers } from '#domain/setting/contract.ts'
import { filled, withoutNumberInLinks } from '#domain/ticket/rules.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import type { Identity, Recipient } from '../channels/channel.ts'
import { settingsOf } from '../setting/read.ts'

/** What a text may leave open until it is sent: whoever wrote it may not have seen the number, which is `hidden` then (A-LGPD-04). */
export type Names = { nome: string; numero: string; hidden: boolean }

export async function target(
  { companyId, connectionId, contactId }: Pick<OutboxRow, 'companyId' | 'connectionId' | 'contactId'>,
  db: Kysely<Database>,
) {
  const row = await db
    .selectFrom('connection')
    .innerJoin('contact', (join) => join.on('contact.id', '=', contactId).onRef('contact.companyId', '=', 'connection.companyId'))
    .select([
      'connection.provider',
      'connection.channel',
      'connection.status',
      'connection.numberSince',
      'connection.interactiveMessages',
      'contact.name',
      'contact.number',
      'contact.isGroup',
    ])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('contactIdentity')
          .select(['kind', 'id'])
          .whereRef('contactIdentity.contactId', '=', 'contact.id')
          .where(sql<boolean>`not (kind = 'phone' and exists (
            select from contact_identity o
            where o.company_id = contact_identity.company_id and o.network = contact_identity.network and o.kind = 'phone'
              and o.key = '+' || contact_identity.id and o.contact_id <> contact.id))`) // by now it is another person's (A-PHONE-02)
          .orderBy(sql`kind = 'phone'`, 'desc'),
      ).as('ids'),
    )
    .where('connection.id', '=', connectionId)
    .where('connection.companyId', '=', companyId)
    .executeTakeFirst()
  if (!row) return undefined
  const { provider, channel, status, numberSince, name, number, isGroup: group, interactiveMessages } = row
  const ids = (row.ids.length > 0 ? row.ids : await idsOfTheSame(contactId, db)) as Identity[]
  const to: Recipient = { companyId, connectionId, contactId, number, ids, group }
  const way = { channel, provider, group, enabled: interactiveMessages === 'enabled' }
  const hidden = hidesNumbers(await settingsOf(db, companyId))
  return { provider, status, numberSince, to, names: { ...textValues({ name, number }), hidden }, way }
}

/** A text as the customer reads it. Where numbers are masked, no link that a person wrote holds one. */
export function worded(text: string, { hidden, ...values }: Names, byPerson: boolean): string {
  const closed = hidden && byPerson && values.numero !== ''
  return filled(closed ? withoutNumberInLinks(text) : text, values)
}

/** What a contact was known by is another’s, who turned out to be the same person. */
const idsOfTheSame = (contactId: number, db: Kysely<Database>) =>
  db
    .selectFrom('contactIdentity')
    .innerJoin('contactDuplicate', 'contactDuplicate.contactId', 'contactIdentity.contactId')
    .select(['contactIdentity.kind', 'contactIdentity.id'])
    .where('contactDuplicate.duplicateId', '=', contactId)
    .orderBy(sql`kind = 'phone'`, 'desc')
    .execute()
