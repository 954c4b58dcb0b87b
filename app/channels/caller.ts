import type { Kysely } from 'kysely'
import { numberKey } from '#domain/contact/rules.ts'
import type { Database } from '#projections/database.ts'

export type From = { number: string; name: string; group: boolean }
type Found = { id: number; active: boolean }
const known = new Map<string, { found: Found; until: number }>()

/** The contact who wrote, made where `create` says so; believed for two seconds. */
export async function contactFor(
  connection: { id: number; companyId: number; channel: string },
  { number, name, group }: From,
  create: boolean,
  db: Kysely<Database>,
): Promise<Found | undefined> {
  const { companyId, channel } = connection
  const key = group ? number : numberKey(number)
  const cached = known.get(`${companyId}/${channel}/${key}`)
  if (cached && cached.until > Date.now()) return cached.found
  const find = () =>
    db
      .selectFrom('contact')
      .select(['id', 'active'])
      .where('companyId', '=', companyId)
      .where('channel', '=', channel)
      .where('numberKey', '=', key)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
  let found = await find()
  if (!found && create) {
    await db
      .insertInto('contact')
      .values({
        ...{ companyId, channel, number, numberKey: key, name: name || number, isGroup: group, whatsappId: connection.id },
        ...{ extraInfo: '[]', lgpdAcceptedAt: null, urlPicture: null, deletedAt: null },
      })
      .onConflict((row) => row.doNothing())
      .execute()
    found = await find()
  }
  if (found) {
    if (known.size > 20_000) known.clear()
    known.set(`${companyId}/${channel}/${key}`, { found, until: Date.now() + 2000 })
  }
  return found
}

/** Where a contact's earlier message may stand: the active ticket first, then the latest ones. */
export async function ticketsOf(
  db: Kysely<Database>,
  { contactId, connectionId }: { contactId: number; connectionId: number },
): Promise<number[]> {
  const active = await db
    .selectFrom('activeTicket')
    .select('ticketId')
    .where('contactId', '=', contactId)
    .where('connectionId', '=', connectionId)
    .execute()
  const latest = await db
    .selectFrom('ticket')
    .select('id')
    .where('contactId', '=', contactId)
    .where('whatsappId', '=', connectionId)
    .orderBy('id', 'desc')
    .limit(5)
    .execute()
  return [...new Set([...active.map(({ ticketId }) => ticketId), ...latest.map(({ id }) => id)])]
}
