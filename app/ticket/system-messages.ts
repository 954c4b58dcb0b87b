import type { Kysely } from 'kysely'
import { textValues } from '#domain/contact/rules.ts'
import type { Cause, CommandMetadata } from '#domain/decider.ts'
import { customerLanguageOf, hidesNumbers, on, type Settings } from '#domain/setting/contract.ts'
import type { PastReferences } from '#domain/state-window.ts'
import type { Content } from '#domain/ticket/events.ts'
import { asking } from '#domain/ticket/rating.ts'
import { filled } from '#domain/ticket/rules.ts'
import type { Ticket } from '#domain/ticket/ticket.ts'
import type { Database } from '#projections/database.ts'
import { idFrom } from '../event-store/event-codec.ts'
import type { NextId } from '../ids.ts'
import { externalIdFrom } from '../message/external-id.ts'
import type { Due } from '../scheduler/deadlines.ts'
import { settingsOf } from '../setting/read.ts'
import type { ActiveTicketRegistry } from './active-ticket-registry.ts'
import { ignoreRefusal } from './ignore-refusal.ts'
import { recipientOf } from './recipient.ts'
import type { ExecuteTicketCommand, LoadTicket } from './ticket-repository.ts'

export type Deps = { db: Kysely<Database>; execute: ExecuteTicketCommand; load: LoadTicket; nextMessageId: NextId }
type Event = { aggregateId: number; companyId: number; eventId: string; cause: Cause | null }

export async function ticketOf(
  { companyId, aggregateId }: Pick<Event, 'companyId' | 'aggregateId'>,
  { load }: Deps,
  named?: Partial<PastReferences>,
  upTo?: number,
) {
  const ticket = await load(companyId, aggregateId, named, upTo)
  return ticket.status === 'absent' || ticket.status === 'deleted' ? null : ticket
}

export async function partiesOf(event: Pick<Event, 'companyId' | 'aggregateId'>, deps: Deps) {
  const ticket = await ticketOf(event, deps)
  if (!ticket) return null
  const [connection, contact, queue, agent] = await Promise.all([
    deps.db
      .selectFrom('connection')
      .select(['complationMessage', 'groupAsTicket', 'inactiveMessage', 'expiresInactiveMessage', 'ratingMessage'])
      .where('id', '=', ticket.connectionId)
      .executeTakeFirst(),
    deps.db
      .selectFrom('contact')
      .innerJoin('contact as own', 'own.personId', 'contact.id')
      .select(['contact.name', 'own.number', 'contact.email'])
      .where('own.id', '=', ticket.contactId)
      .executeTakeFirst(),
    ticket.queueId === null ? undefined : deps.db.selectFrom('queue').select('name').where('id', '=', ticket.queueId).executeTakeFirst(),
    ticket.userId === null ? undefined : deps.db.selectFrom('user').select('name').where('id', '=', ticket.userId).executeTakeFirst(),
  ])
  return connection && contact ? { group: ticket.group, connection, contact, queue: queue?.name ?? '', agent: agent?.name ?? '' } : null
}
type Parties = NonNullable<Awaited<ReturnType<typeof partiesOf>>>

export async function sendSystemMessage(
  event: Event,
  what: string,
  text: string | null,
  { contact, queue, agent }: Parties,
  deps: Deps,
  how: { actionRevision?: number; aside?: true } = {},
): Promise<void> {
  if (!text?.trim()) return
  const clientId = idFrom(`${what}/${event.eventId}`)
  const content: Content = {
    ...{ messageId: await deps.nextMessageId(), kind: 'chat', media: null, vCard: null, quotedId: null },
    body: fillPlaceholders(text, { ...contact, queue, agent }, await settingsOf(deps.db, event.companyId)),
  }
  const rest = { private: false, forwarded: false, seen: null, anyway: true, admin: false, ...how }
  await deps.execute(
    event.aggregateId,
    { type: 'Send', clientId, externalId: externalIdFrom(clientId), ...content, ...rest, ...system(event.companyId) },
    clientId,
    event.cause ?? undefined,
  )
}

/** `agent`: who serves the ticket, if anybody. */
type Names = { name: string; number: string; email: string; queue: string; agent?: string }
/**
 * Fills in the placeholders (A-BOT-10). Where numbers are hidden, the number is filled in when the message is
 * sent.
 */
export function fillPlaceholders(
  text: string,
  { name, number, email, queue, agent = '' }: Names,
  settings: Settings,
  more: Record<string, string> = {},
): string {
  const hidden = hidesNumbers(settings)
  const { numero, ...names } = textValues({ name, number })
  return truncate(filled(text, { ...more, ...names, ...(!hidden && { numero }), email, fila: queue, atendente: agent }))
}
/** Limits the text after the placeholders are filled in. */
const truncate = (text: string) => text.slice(0, 10_000).toWellFormed()
const system = (companyId: number): CommandMetadata => ({ companyId, by: { kind: 'system' } })

/** Reads the revision of the action from the deadline's kind. */
const actionOf = ({ companyId, aggregateId, kind, cause = null }: Due) => {
  const actionRevision = Number(kind.split('/')[1])
  return { actionRevision, event: { companyId, aggregateId, eventId: `${companyId}/${aggregateId}/${actionRevision}`, cause } }
}

/** Whether answers in the ticket go to this contact. Those of a merged contact may go to its target (A-MERGE-01). */
const reaches = async (db: Deps['db'], ticket: Ticket, contactId: number): Promise<boolean> =>
  !('contactId' in ticket) ||
  (await recipientOf(db, ticket, { from: 'us', at: null, ...(ticket.writerId !== null && { contactId: ticket.writerId }) })) === contactId

/**
 * Sends the farewell after the undo window. Skips it if the ticket was reopened (A-TICKET-07) or the contact
 * has another ticket.
 */
export async function sendFarewell(due: Due, deps: Deps & { activeTickets: ActiveTicketRegistry }): Promise<void> {
  const { actionRevision, event } = actionOf(due)
  const now = await ticketOf(event, deps)
  const ticket = now?.status === 'closed' && !now.group && (await partiesOf(event, deps))
  if (!ticket) return
  const goesOn = await deps.activeTickets.findHolder({
    companyId: event.companyId,
    connectionId: now.connectionId,
    contactId: now.contactId,
  })
  const other = goesOn && goesOn.ticketId !== now.ticketId && (await deps.load(event.companyId, goesOn.ticketId))
  if (other && (await reaches(deps.db, other, now.contactId))) return
  await sendSystemMessage(event, 'complation', ticket.connection.complationMessage, ticket, deps, { actionRevision }).catch(ignoreRefusal)
  const mine = deps.db
    .selectFrom('user')
    .select('farewellMessage')
    .where('id', '=', now.userId ?? 0)
  await sendSystemMessage(event, 'farewell', (await mine.executeTakeFirst())?.farewellMessage ?? null, ticket, deps, {
    actionRevision,
  }).catch(ignoreRefusal)
}

/** Returns the connection's rating question in the company's language (A-NPS-02). */
export async function ratingQuestion(text: string | null, companyId: number, { db }: Pick<Deps, 'db'>): Promise<string | null> {
  return text?.trim() ? asking(text, customerLanguageOf(await settingsOf(db, companyId))) : null
}
export async function sendRatingRequest(due: Due, deps: Deps): Promise<void> {
  const { actionRevision, event } = actionOf(due)
  const now = await ticketOf(event, deps)
  const waits = now?.status === 'nps' && now.rating?.actionRevision === actionRevision && now.rating.asked === null
  const ticket = waits && (await partiesOf(event, deps))
  if (!ticket) return
  const text = await ratingQuestion(ticket.connection.ratingMessage, event.companyId, deps)
  await sendSystemMessage(event, 'rating', text, ticket, deps, { actionRevision }).catch(ignoreRefusal)
}

/** Sends the transfer text in the ticket that continues (A-TRANSFER-01). */
export async function sendTransferText(due: Due, deps: Deps): Promise<void> {
  const { actionRevision, event } = actionOf(due)
  const settings = await settingsOf(deps.db, event.companyId)
  const ticket = on(settings, 'sendMsgTransfTicket') && (await partiesOf(event, deps))
  if (ticket && !ticket.group)
    await sendSystemMessage(event, 'transfer', settings.transferMessage, ticket, deps, { actionRevision }).catch(ignoreRefusal)
}
