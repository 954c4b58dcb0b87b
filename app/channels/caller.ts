import { type Kysely, sql } from 'kysely'
import { numberKey } from '#domain/contact/rules.ts'
import type { Database } from '#projections/database.ts'
import { gatheredBy } from '#projections/gather.ts'

export type From = { number: string; name: string; group: boolean }
type Who = { companyId: number; channel: string; key: string }
type Found = { id: number; active: boolean }
const known = new Map<string, { found: Found; until: number }>()

const finding = gatheredBy(async (db: Kysely<Database>, list: Who[]): Promise<(Found | undefined)[]> => {
  const column = (name: keyof Who) => list.map((who) => who[name])
  const { rows } = await sql<Found & { n: number }>`
    select w.n::int, c.id, c.active
    from unnest(${column('companyId')}::int[], ${column('channel')}::text[], ${column('key')}::text[])
      with ordinality as w(company_id, channel, number_key, n)
    join contact c using (company_id, channel, number_key) where c.deleted_at is null`.execute(db)
  const found = new Map(rows.map(({ n, ...one }) => [n, one]))
  return list.map((_, i) => found.get(i + 1))
})

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
  const find = () => finding(db, { companyId, channel, key })
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
