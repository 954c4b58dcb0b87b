import { once } from 'node:events'
import { type Kysely, sql } from 'kysely'
import { acting, type Viewer } from '#domain/access.ts'
import { canSee, typingTopic } from '#domain/ticket/topic.ts'
import type { Database } from '#projections/database.ts'
import { ticketSummary } from '#projections/ticket/read.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { withTimeout } from '../concurrency/retry.ts'
import { type ContactStore, resolveContact } from '../inbound/contact-resolver.ts'
import { target } from '../outbound/recipient.ts'
import type { NotificationBus } from '../postgres/notification-bus.ts'
import type { LoadTicket } from '../ticket/ticket-repository.ts'
import type { Channel, Connection, Identity, LeasedConnection } from './channel.ts'

/* Typing indicators. Nothing is stored, because a missed indicator has no value later. */

type Typed = { companyId: number; connectionId: number; contactId: number; ticketId: number }
const typists = 'typists'
const timeoutMs = 5000

/** Notifies the viewers of a ticket that its customer is typing. */
export async function customerTypes(store: ContactStore, connection: Pick<Connection, 'id' | 'companyId' | 'channel'>, ids: Identity[]) {
  const contact = await resolveContact(connection, { ids, name: '', group: false }, false, store)
  if (!contact) return
  const contactIds = [contact.id, ...contact.others]
  await sql`
    select pg_notify('changes', ${`${typingTopic.name} insert ${connection.companyId} `} || ticket_id) from active_ticket
    where company_id = ${connection.companyId} and connection_id = ${connection.id} and contact_id = any(${contactIds}::int[])`.execute(
    store.db,
  )
}

/** Notifies the worker that leases the connection that an agent is typing in a ticket that the agent may see. */
export async function notifyTyping(db: Kysely<Database>, viewer: Viewer, ticketId: number): Promise<void> {
  const ticket = acting(viewer) === null ? await ticketSummary(db, viewer.companyId, ticketId) : undefined
  if (!ticket || !canSee(viewer, ticket) || ticket.status === 'closed') return
  const { companyId, whatsappId: connectionId, contactId } = ticket
  await sql`select pg_notify(${typists}, ${JSON.stringify({ companyId, connectionId, contactId, ticketId } satisfies Typed)})`.execute(db)
}

type Deps = { db: Kysely<Database>; notifications: NotificationBus; load: LoadTicket; channel: (provider: string) => Channel | undefined }
/** Forwards the typing of agents to their customers while this process leases the connection. */
export async function forwardTyping(
  leased: LeasedConnection,
  { db, notifications, load, channel }: Deps,
  signal: AbortSignal,
): Promise<void> {
  const off = notifications.on(typists, (text) => {
    const typed: Typed = JSON.parse(text)
    if (typed.connectionId === leased.connection.id) void ignoreErrors(show(typed), 'the indicator expires before a retry could help')
  })
  async function show(typed: Typed): Promise<void> {
    const found = await target(typed, db)
    const sending = found && channel(leased.connection.provider)?.typing?.(found.to, () => newestInboundId(typed, { db, load }))
    await withTimeout(sending ?? Promise.resolve(), timeoutMs, 'Typing indicator')
  }
  if (!signal.aborted) await once(signal, 'abort')
  off()
}

async function newestInboundId({ companyId, ticketId }: Typed, { db, load }: Pick<Deps, 'db' | 'load'>): Promise<string | null> {
  const messages = db.selectFrom('message').select('id').where('companyId', '=', companyId).where('ticketId', '=', ticketId)
  const newest = await messages
    .where('fromMe', '=', false)
    .where('deletedBy', 'is', null)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  const ticket = newest && (await load(companyId, ticketId, { messages: [newest.id] }))
  return (ticket && 'messages' in ticket ? ticket.messages.get(newest.id)?.externalId : undefined) ?? null
}
