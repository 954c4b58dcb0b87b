import { sql } from 'kysely'
import type { Actor, CommandMetadata } from '#domain/decider.ts'
import type { OutboxRow } from '#projections/database.ts'
import type { Connection, Identity, InboundEvent } from '../channels/channel.ts'
import { Unavailable } from '../event-store/event-store.ts'
import type { ExecuteTicketCommand, LoadTicket } from '../ticket/ticket-repository.ts'
import { type ContactStore, resolveContact } from './contact-resolver.ts'
import { findMessage, type Person } from './quoted-message.ts'
import { type SentTo, sentAs, sentUntil } from './sent-messages.ts'

type Deps = ContactStore & { execute: ExecuteTicketCommand; load: LoadTicket }
/** One attempt at a journal row. `unsure`: it may already be applied. `awaited`: it replaces a message that could not be decrypted. */
export type InboundAttempt = { externalId: string; unsure: boolean; tries: number; awaited: boolean }

const sends = (db: Deps['db'], connectionId: number) =>
  db.selectFrom('outbox').where('connectionId', '=', connectionId).where('kind', '=', 'send')
const isPart = (ids: string[]) => sql<boolean>`part_ids && ${ids}::text[]`
/** A provider may report a message before it answers the send call. So an unknown id is retried while a send is in flight. */
const maxRetries = 6
async function hasSendInFlight(
  connectionId: number,
  { tries }: InboundAttempt,
  db: Deps['db'],
  to?: Pick<Person, 'contactIds'>,
): Promise<boolean> {
  if (tries >= maxRetries) return false
  const all = sends(db, connectionId).select('n').where('state', '=', 'waiting').where('attempts', '>', 0)
  const some = to === undefined ? all : all.where('contactId', 'in', to.contactIds)
  return (await some.limit(1).executeTakeFirst()) !== undefined
}
const sendMayMatch = () => new Unavailable('Send in flight may have this provider id')

/** Whether a message that the provider reports as ours was sent from here. */
export async function ownSend(person: Person, externalId: string, attempt: InboundAttempt, { db }: Pick<Deps, 'db'>): Promise<boolean> {
  const { connectionId, contactIds } = person
  const known = await sentAs(db, { connectionId, ids: [externalId] })
  if (known.some(({ contactId }) => contactIds.includes(contactId))) return true
  const part = sends(db, connectionId)
    .select('n')
    .where('contactId', 'in', contactIds)
    .where(isPart([externalId]))
  if (await part.limit(1).executeTakeFirst()) return true
  if (await hasSendInFlight(connectionId, attempt, db)) throw sendMayMatch()
  return false
}

type Sent = Pick<OutboxRow, 'ticketId' | 'messageId' | 'externalId' | 'companyId' | 'connectionId'>
/** Marks a message as accepted by the provider. Used when the answer to the send call was lost and the provider reports its id later. */
export async function accepted(
  { companyId, connectionId, ticketId, messageId, externalId }: Sent,
  providerId: string,
  { db, execute }: Pick<Deps, 'db' | 'execute'>,
  at?: string,
): Promise<void> {
  const another = sends(db, connectionId).select('n').where('providerId', '=', providerId).where('externalId', '!=', externalId)
  if (await another.executeTakeFirst()) return
  const metadata: CommandMetadata = { companyId, by: { kind: 'system' }, ...(at && { occurredAt: at }) }
  await execute(ticketId, { type: 'Accepted', messageId, providerId, ...metadata }, `accepted-${messageId}`)
  await db
    .updateTable('outbox')
    .set({
      state: sql<'taken'>`case when parts_due > 0 then state else 'taken' end`, // the sender of the remaining parts records the outcome
      partsDue: sql`greatest(parts_due - 1, 0)`,
      providerId,
    })
    .where('connectionId', '=', connectionId)
    .where('kind', '=', 'send')
    .where('externalId', '=', externalId)
    .where('providerId', 'is', null)
    .where('state', '<>', 'failed') // a failed message may have been delivered in part
    .execute()
}

async function personOf(connection: Connection, ids: Identity[], store: ContactStore): Promise<Person | null> {
  const { id: connectionId, companyId } = connection
  const contact = await resolveContact(connection, { ids, name: '', group: false }, false, store)
  return contact ? { companyId, connectionId, contactIds: [contact.id, ...contact.others] } : null
}

/** Returns the messages sent to a person until a moment. Throws while a send to that person is in flight. */
async function sentBefore(
  connection: Connection,
  { from, at }: { from: Identity[]; at: string },
  attempt: InboundAttempt,
  store: ContactStore,
) {
  const { db } = store
  const person = await personOf(connection, from, store)
  if (!person) return []
  if (await hasSendInFlight(connection.id, attempt, db, person)) throw sendMayMatch()
  return sentUntil(db, person, { at })
}

type Reported = Extract<InboundEvent, { type: 'receipt' | 'failed' | 'accepted' }>
/** Applies a delivery receipt of the provider to the messages that it names. */
export async function report(connection: Connection, event: Reported, attempt: InboundAttempt, deps: Deps): Promise<void> {
  const { db } = deps
  const { externalIds } = event
  if (event.type === 'receipt' && event.upTo)
    return applyTo(connection, event, await sentBefore(connection, event.upTo, attempt, deps), deps)
  const rows = await sentAs(db, { connectionId: connection.id, ids: externalIds })
  const known = new Set(rows.flatMap(({ externalId, providerId }) => [externalId, providerId]))
  let unknownIds = externalIds.filter((one) => !known.has(one))
  if (unknownIds.length > 0) {
    const parts = await sends(db, connection.id)
      .select(['n', 'ticketId', 'messageId', 'externalId', 'providerId', 'contactId', 'state', 'partIds'])
      .where(isPart(unknownIds))
      .execute()
    unknownIds = unknownIds.filter((one) => !parts.some(({ partIds }) => partIds?.includes(one)))
    if (event.type === 'receipt' && event.mark === 'read') rows.push(...parts.filter(({ n }) => !rows.some((row) => row.n === n))) // a person who read the last part also read the first ones
  }
  const person = event.type === 'receipt' && event.to ? await personOf(connection, event.to, deps) : null
  const newest = Math.max(...rows.map(({ n }) => n))
  if (event.type === 'receipt' && event.andBefore && person && rows.length > 0) {
    const before = await sentUntil(db, person, { n: newest })
    await applyTo(connection, event, [...before, ...rows], deps)
  } else await applyTo(connection, event, rows, deps)
  if (unknownIds.length === 0) return
  if (await hasSendInFlight(connection.id, attempt, db, person ?? undefined)) throw sendMayMatch()
  if (event.type === 'receipt') await markTyped(connection, person, event, unknownIds, deps)
}

type ReportedRow = SentTo & { state?: OutboxRow['state'] }
async function applyTo({ id, companyId }: Connection, event: Reported, rows: ReportedRow[], { db, execute }: Deps): Promise<void> {
  const { at } = event
  const sent = rows.filter(({ state }) => event.type !== 'receipt' || state !== 'failed') // a receipt for one part does not undo the failure
  for (const [ticketId, own] of Map.groupBy(sent, (row) => row.ticketId)) {
    const by: Actor = event.type === 'receipt' ? { kind: 'contact', id: own[0]!.contactId } : { kind: 'system' }
    const metadata: CommandMetadata = { companyId, by, ...(at && { occurredAt: at }) }
    const ids = own.map((row) => row.externalId)
    if (event.type === 'receipt')
      await execute(ticketId, { type: 'Mark', mark: event.mark, externalIds: ids, ...metadata }, `${id}/${event.mark}/${ids.join()}`)
    else if (event.type === 'accepted')
      for (const row of own) await accepted({ ...row, companyId, connectionId: id }, event.providerId, { db, execute }, at)
    else {
      const { code, partly } = event
      const command = { type: 'NotDelivered' as const, code, externalIds: ids, ...(partly && { partly }) }
      await execute(ticketId, { ...command, ...metadata }, `${id}/failed/${ids.join()}`)
      if (!partly) continue
      const failed = db.updateTable('outbox').set({ state: 'failed' }).where('connectionId', '=', id).where('kind', '=', 'send')
      await failed.where('externalId', 'in', ids).execute()
    }
  }
}

/** Marks messages that were typed on the company's own phone. They have no outbox row, so the journal and the ticket are searched. */
async function markTyped(
  connection: Connection,
  person: Person | null,
  event: Extract<InboundEvent, { type: 'receipt' }>,
  ids: string[],
  deps: Deps,
): Promise<void> {
  const { mark, at } = event
  const connectionId = connection.id
  const entries = deps.db.selectFrom('inboundEvent').select(['externalId', 'doneAt', 'receivedAt']).where('connectionId', '=', connectionId)
  for (const { externalId, doneAt, receivedAt } of await entries.where('externalId', 'in', ids).execute()) {
    const found = person && (await findMessage(person, externalId, deps))
    if (!found && doneAt === null) throw new Unavailable('External message is not processed yet')
    if (!found) continue
    const { companyId, contactIds } = person
    const metadata: CommandMetadata = { companyId, by: { kind: 'contact', id: contactIds[0]! }, ...(at && { occurredAt: at }) }
    const command = { type: 'Mark' as const, mark, externalIds: [externalId] }
    await deps.execute(found.ticketId, { ...command, ...metadata }, `${connectionId}/${mark}/${externalId}`)
    if (event.andBefore) await applyTo(connection, event, await sentUntil(deps.db, person, { at: receivedAt }), deps)
  }
}
