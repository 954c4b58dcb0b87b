import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Actor, CommandMetadata } from '#domain/decider.ts'
import type { Database, OutboxRow } from '#projections/database.ts'
import type { Connection, Identity, InboundEvent } from '../channels/channel.ts'
import { Unavailable } from '../event-store/event-store.ts'
import type { ExecuteTicketCommand, LoadTicket } from '../ticket/ticket-repository.ts'
import { resolveContact } from './contact-resolver.ts'
import { findMessage, type Person } from './quoted-message.ts'
import { type SentTo, sentAs, sentUntil } from './sent-messages.ts'

type Deps = { db: Kysely<Database>; execute: ExecuteTicketCommand; load: LoadTicket }
/** How an entry stands in the journal. `unsure`: it may have been taken already. `awaited`: it comes in the place of one that nobody could read. */
export type InboundAttempt = { externalId: string; unsure: boolean; tries: number; awaited: boolean }

const sends = (db: Deps['db'], connectionId: number) =>
  db.selectFrom('outbox').where('connectionId', '=', connectionId).where('kind', '=', 'send')
const isPart = (ids: string[]) => sql<boolean>`part_ids && ${ids}::text[]`
/** A provider may tell of a message before it answers who sent it: what is looked for is waited for while something is on its way. */
const mostWaits = 6
async function onItsWay(
  connectionId: number,
  { tries }: InboundAttempt,
  db: Deps['db'],
  to?: Pick<Person, 'contactIds'>,
): Promise<boolean> {
  if (tries >= mostWaits) return false
  const all = sends(db, connectionId).select('n').where('state', '=', 'waiting').where('attempts', '>', 0)
  const some = to === undefined ? all : all.where('contactId', 'in', to.contactIds)
  return (await some.limit(1).executeTakeFirst()) !== undefined
}
const mayBeThis = () => new Unavailable('what is on its way may be this')

/** Whether what was sent elsewhere was sent from here. */
export async function ownSend(person: Person, externalId: string, noting: InboundAttempt, { db }: Pick<Deps, 'db'>): Promise<boolean> {
  const { connectionId, contactIds } = person
  const known = await sentAs(db, { connectionId, ids: [externalId] })
  if (known.some(({ contactId }) => contactIds.includes(contactId))) return true
  const part = sends(db, connectionId)
    .select('n')
    .where('contactId', 'in', contactIds)
    .where(isPart([externalId]))
  if (await part.limit(1).executeTakeFirst()) return true
  if (await onItsWay(connectionId, noting, db)) throw mayBeThis()
  return false
}

type Sent = Pick<OutboxRow, 'ticketId' | 'messageId' | 'externalId' | 'companyId' | 'connectionId'>
/** The provider has it: told by its own word where its answer was lost, under the id that the answer would have had. */
export async function accepted(
  { companyId, connectionId, ticketId, messageId, externalId }: Sent,
  providerId: string,
  { db, execute }: Pick<Deps, 'db' | 'execute'>,
  at?: string,
): Promise<void> {
  const another = sends(db, connectionId).select('n').where('providerId', '=', providerId).where('externalId', '!=', externalId)
  if (await another.executeTakeFirst()) return
  const stamp: CommandMetadata = { companyId, by: { kind: 'system' }, ...(at && { occurredAt: at }) }
  await execute(ticketId, { type: 'Accepted', messageId, providerId, ...stamp }, `accepted-${messageId}`)
  await db
    .updateTable('outbox')
    .set({
      state: sql<'taken'>`case when parts_due > 0 then state else 'taken' end`, // who sends the rest says what becomes of it
      partsDue: sql`greatest(parts_due - 1, 0)`,
      providerId,
    })
    .where('connectionId', '=', connectionId)
    .where('kind', '=', 'send')
    .where('externalId', '=', externalId)
    .where('providerId', 'is', null)
    .where('state', '<>', 'failed') // a part of it is there
    .execute()
}

async function personOf(connection: Connection, ids: Identity[], db: Deps['db']): Promise<Person | null> {
  const { id: connectionId, companyId } = connection
  const contact = await resolveContact(connection, { ids, name: '', group: false }, false, db)
  return contact ? { companyId, connectionId, contactIds: [contact.id, ...contact.others] } : null
}

/** What somebody has had until a moment, and nothing of which might be on its way yet. */
async function sentBefore(connection: Connection, { from, at }: { from: Identity[]; at: string }, noting: InboundAttempt, db: Deps['db']) {
  const person = await personOf(connection, from, db)
  if (!person) return []
  if (await onItsWay(connection.id, noting, db, person)) throw mayBeThis()
  return sentUntil(db, person, { at })
}

type Reported = Extract<InboundEvent, { type: 'mark' | 'failed' | 'accepted' }>
/** What became of messages of ours, by the provider's word. */
export async function report(connection: Connection, heard: Reported, noting: InboundAttempt, deps: Deps): Promise<void> {
  const { db } = deps
  const { externalIds } = heard
  if (heard.type === 'mark' && heard.upTo) return tellOf(connection, heard, await sentBefore(connection, heard.upTo, noting, db), deps)
  const rows = await sentAs(db, { connectionId: connection.id, ids: externalIds })
  const known = new Set(rows.flatMap(({ externalId, providerId }) => [externalId, providerId]))
  let strange = externalIds.filter((one) => !known.has(one))
  if (strange.length > 0) {
    const parts = await sends(db, connection.id)
      .select(['n', 'ticketId', 'messageId', 'externalId', 'providerId', 'contactId', 'state', 'partIds'])
      .where(isPart(strange))
      .execute()
    strange = strange.filter((one) => !parts.some(({ partIds }) => partIds?.includes(one)))
    if (heard.type === 'mark' && heard.mark === 'read') rows.push(...parts.filter(({ n }) => !rows.some((row) => row.n === n))) // who read the rest read its beginning
  }
  const person = heard.type === 'mark' && heard.to ? await personOf(connection, heard.to, db) : null
  const newest = Math.max(...rows.map(({ n }) => n))
  if (heard.type === 'mark' && heard.andBefore && person && rows.length > 0) {
    const before = await sentUntil(db, person, { n: newest })
    await tellOf(connection, heard, [...before, ...rows], deps)
  } else await tellOf(connection, heard, rows, deps)
  if (strange.length === 0) return
  if (await onItsWay(connection.id, noting, db, person ?? undefined)) throw mayBeThis()
  if (heard.type === 'mark') await markTyped(connection, person, heard, strange, deps)
}

type ReportedRow = SentTo & { state?: OutboxRow['state'] }
async function tellOf({ id, companyId }: Connection, heard: Reported, rows: ReportedRow[], { db, execute }: Deps): Promise<void> {
  const { at } = heard
  const sent = rows.filter(({ state }) => heard.type !== 'mark' || state !== 'failed') // that a part of it arrived does not mend it
  for (const [ticketId, own] of Map.groupBy(sent, (row) => row.ticketId)) {
    const by: Actor = heard.type === 'mark' ? { kind: 'contact', id: own[0]!.contactId } : { kind: 'system' }
    const stamp: CommandMetadata = { companyId, by, ...(at && { occurredAt: at }) }
    const ids = own.map((row) => row.externalId)
    if (heard.type === 'mark')
      await execute(ticketId, { type: 'Mark', mark: heard.mark, externalIds: ids, ...stamp }, `${id}/${heard.mark}/${ids.join()}`)
    else if (heard.type === 'accepted')
      for (const row of own) await accepted({ ...row, companyId, connectionId: id }, heard.providerId, { db, execute }, at)
    else {
      const { code, partly } = heard
      const command = { type: 'NotDelivered' as const, code, externalIds: ids, ...(partly && { partly }) }
      await execute(ticketId, { ...command, ...stamp }, `${id}/failed/${ids.join()}`)
      if (!partly) continue
      const failed = db.updateTable('outbox').set({ state: 'failed' }).where('connectionId', '=', id).where('kind', '=', 'send')
      await failed.where('externalId', 'in', ids).execute()
    }
  }
}

/** What was typed on the company's own phone was taken down as it was; its row, by which others are found, comes some time after. */
async function markTyped(
  connection: Connection,
  person: Person | null,
  heard: Extract<InboundEvent, { type: 'mark' }>,
  ids: string[],
  deps: Deps,
): Promise<void> {
  const { mark, at } = heard
  const connectionId = connection.id
  const entries = deps.db.selectFrom('inboundEvent').select(['externalId', 'doneAt', 'receivedAt']).where('connectionId', '=', connectionId)
  for (const { externalId, doneAt, receivedAt } of await entries.where('externalId', 'in', ids).execute()) {
    const found = person && (await findMessage(person, externalId, deps))
    if (!found && doneAt === null) throw new Unavailable('what was typed is not taken yet')
    if (!found) continue
    const { companyId, contactIds } = person
    const stamp: CommandMetadata = { companyId, by: { kind: 'contact', id: contactIds[0]! }, ...(at && { occurredAt: at }) }
    const command = { type: 'Mark' as const, mark, externalIds: [externalId] }
    await deps.execute(found.ticketId, { ...command, ...stamp }, `${connectionId}/${mark}/${externalId}`)
    if (heard.andBefore) await tellOf(connection, heard, await sentUntil(deps.db, person, { at: receivedAt }), deps)
  }
}
