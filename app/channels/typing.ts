import { once } from 'node:events'
import { type Kysely, sql } from 'kysely'
import { acting, type Viewer } from '#domain/access.ts'
import { canSee, typingTopic } from '#domain/ticket/topic.ts'
import type { Database } from '#projections/database.ts'
import { ticketSummary } from '#projections/ticket/read.ts'
import { withTimeout } from '../concurrency/retry.ts'
import { resolveContact } from '../inbound/contact-resolver.ts'
import { target } from '../outbound/recipient.ts'
import type { NotificationBus } from '../postgres/notification-bus.ts'
import type { LoadTicket } from '../ticket/ticket-repository.ts'
import type { Channel, Connection, Identity, LeasedConnection } from './channel.ts'

/* Who writes just now. Nothing of it is kept: who is not there to see it has missed nothing. */

type Typed = { companyId: number; connectionId: number; contactId: number; ticketId: number }
const typists = 'typists'
const timeoutMs = 5000

/** A customer writes: told to whoever looks at their ticket. */
export async function customerTypes(db: Kysely<Database>, connection: Pick<Connection, 'id' | 'companyId' | 'channel'>, ids: Identity[]) {
  const contact = await resolveContact(connection, { ids, name: '', group: false }, false, db)
  if (!contact) return
  const theirs = [contact.id, ...contact.others]
  await sql`
    select pg_notify('changes', ${`${typingTopic.name} insert ${connection.companyId} `} || ticket_id) from active_ticket
    where company_id = ${connection.companyId} and connection_id = ${connection.id} and contact_id = any(${theirs}::int[])`.execute(db)
}

/** One of ours writes in a ticket that they see: told to whoever holds its connection. */
export async function notifyTyping(db: Kysely<Database>, viewer: Viewer, ticketId: number): Promise<void> {
  const ticket = acting(viewer) === null ? await ticketSummary(db, viewer.companyId, ticketId) : undefined
  if (!ticket || !canSee(viewer, ticket) || ticket.status === 'closed') return
  const { companyId, whatsappId: connectionId, contactId } = ticket
  await sql`select pg_notify(${typists}, ${JSON.stringify({ companyId, connectionId, contactId, ticketId } satisfies Typed)})`.execute(db)
}

type Deps = { db: Kysely<Database>; notifications: NotificationBus; load: LoadTicket; channel: (provider: string) => Channel | undefined }
/** Shows on the customers' phones who writes to them, for as long as a connection is held. */
export async function forwardTyping(
  line: LeasedConnection,
  { db, notifications, load, channel }: Deps,
  signal: AbortSignal,
): Promise<void> {
  const off = notifications.on(typists, (text) => {
    const typed: Typed = JSON.parse(text)
    if (typed.connectionId === line.connection.id) void show(typed).catch(() => undefined) // it is over before anything could be done about it
  })
  async function show(typed: Typed): Promise<void> {
    const found = await target(typed, db)
    const sending = found && channel(line.connection.provider)?.typing?.(found.to, () => lastHeard(typed, { db, load }))
    await withTimeout(sending ?? Promise.resolve(), timeoutMs, 'typing')
  }
  if (!signal.aborted) await once(signal, 'abort')
  off()
}

async function lastHeard({ companyId, ticketId }: Typed, { db, load }: Pick<Deps, 'db' | 'load'>): Promise<string | null> {
  const theirs = db.selectFrom('message').select('id').where('companyId', '=', companyId).where('ticketId', '=', ticketId)
  const newest = await theirs
    .where('fromMe', '=', false)
    .where('deletedBy', 'is', null)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  const ticket = newest && (await load(companyId, ticketId, { messages: [newest.id] }))
  return (ticket && 'messages' in ticket ? ticket.messages.get(newest.id)?.externalId : undefined) ?? null
}
