import { type Kysely, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type TextValues, textValues } from '#domain/contact/rules.ts'
import { hidesNumbers } from '#domain/setting/contract.ts'
import { streamName } from '#domain/stream.ts'
import { filled, withoutNumberInLinks } from '#domain/ticket/rules.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import type { Identity, Recipient } from '../channels/channel.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { settingsOf } from '../setting/read.ts'

/** Values of a text's placeholders at the time of sending. `hidden`: numbers are masked, so its author may not know them (A-LGPD-04). */
export type Names = TextValues & { hidden: boolean }

export async function target(
  { companyId, connectionId, contactId }: Pick<OutboxRow, 'companyId' | 'connectionId' | 'contactId'>,
  db: Kysely<Database>,
) {
  const row = await db
    .selectFrom('connection')
    .innerJoin('contact', (join) => join.on('contact.id', '=', contactId).onRef('contact.companyId', '=', 'connection.companyId'))
    .innerJoin('contact as shown', 'shown.id', 'contact.personId')
    .select([
      'connection.provider',
      'connection.channel',
      'connection.status',
      'connection.numberSince',
      'connection.interactiveMessages',
      'shown.name',
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
              and o.key = '+' || contact_identity.id and o.contact_id <> contact.id))`) // the number belongs to another person by now (A-PHONE-02)
          .orderBy(sql`kind = 'phone'`, 'desc'),
      ).as('ids'),
    )
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('contactFormerNumber')
          .select(['number', 'ids', 'until'])
          .whereRef('contactFormerNumber.contactId', '=', 'contact.id')
          .orderBy('contactFormerNumber.id'),
      ).as('formerNumbers'),
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
  return {
    provider,
    status,
    numberSince,
    to,
    names: { ...textValues({ name, number }), hidden },
    way,
    name,
    formerNumbers: row.formerNumbers,
  }
}
type Target = NonNullable<Awaited<ReturnType<typeof target>>>

/**
 * The target at the time when the message was written. A number that a user entered since is not that of the person for whom it was written
 * (A-CONTACT-05).
 */
export async function targetOf(
  { companyId, ticketId }: Pick<OutboxRow, 'companyId' | 'ticketId'>,
  message: { revision: number; at: string },
  found: Target,
  eventStore: EventStore,
): Promise<Target> {
  if (found.formerNumbers.length === 0) return found
  const [sent] = (await eventStore.read(streamName(ticketStream, companyId, ticketId), BigInt(message.revision), 1)).events
  const { actionRevision } = (sent?.data ?? {}) as { actionRevision?: number }
  const action = actionRevision === undefined ? undefined : await eventStore.read(sent!.stream, BigInt(actionRevision), 1)
  const at = Date.parse((action?.events[0]?.meta.at as string | undefined) ?? message.at)
  const former = found.formerNumbers.find(({ until }) => Date.parse(until) > at)
  if (!former) return found
  const [number, ids] = [former.number ?? '', former.ids as Identity[]]
  return {
    ...found,
    to: { ...found.to, number, ids },
    names: { ...found.names, ...textValues({ name: found.name, number }) },
  }
}

/** Fills the placeholders of a text. If numbers are masked, links that an agent wrote do not contain them. */
export function fillPlaceholders(text: string, { hidden, ...values }: Names, byPerson: boolean): string {
  const closed = hidden && byPerson && values.numero !== ''
  return filled(closed ? withoutNumberInLinks(text) : text, values)
}

/** The identifiers of a duplicate contact, which now belong to the main contact of the same person. */
const idsOfTheSame = (contactId: number, db: Kysely<Database>) =>
  db
    .selectFrom('contactIdentity')
    .innerJoin('contactDuplicate', 'contactDuplicate.contactId', 'contactIdentity.contactId')
    .select(['contactIdentity.kind', 'contactIdentity.id'])
    .where('contactDuplicate.duplicateId', '=', contactId)
    .orderBy(sql`kind = 'phone'`, 'desc')
    .execute()
