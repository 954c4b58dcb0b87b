import type { Logger } from 'pino'
import { cleanName } from '#domain/contract.ts'
import type { Actor, CommandMetadata } from '#domain/decider.ts'
import { Refusal, refuse } from '#domain/errors.ts'
import { on } from '#domain/setting/contract.ts'
import type { TicketCommand } from '#domain/ticket/decide.ts'
import type { Participant } from '#domain/ticket/events.ts'
import type { Channel, Connection, Identity, InboundEvent, LeasedConnection } from '../channels/channel.ts'
import { authorOf, type ContactKeys } from '../crypto/contact-keys.ts'
import { Unavailable } from '../event-store/event-store.ts'
import type { NextId } from '../ids.ts'
import type { WaitForProjection } from '../projection/wait-for-projection.ts'
import type { Clock } from '../scheduler/clock.ts'
import { settingsOf } from '../setting/read.ts'
import { executeWithUpload } from '../storage/upload-reservations.ts'
import type { ActiveTicketRegistry, ConversationKey, TicketRef } from '../ticket/active-ticket-registry.ts'
import type { ExecuteTicketCommand, LoadTicket } from '../ticket/ticket-repository.ts'
import { consentOf } from './consent.ts'
import { placesOf } from './contact-places.ts'
import { type ContactStore, type InboundSender, type ResolvedContact, resolveContact } from './contact-resolver.ts'
import { TargetMissing } from './deferred-events.ts'
import { type InboundAttempt, ownSend, report } from './delivery-receipts.ts'
import { applyNumberChange } from './number-change.ts'
import { findMessage, type Person, quotedIn } from './quoted-message.ts'
import { resumable } from './resume.ts'
import { knownAs } from './same-id.ts'
import { parseAgain } from './unparsed-payloads.ts'
import type { WakeWorker } from './worker-wakeups.ts'

export type Deps = ContactStore & {
  wakeWorker: WakeWorker
  execute: ExecuteTicketCommand
  load: LoadTicket
  waitForProjection: WaitForProjection
  readHeadPosition: () => Promise<bigint | null>
  activeTickets: ActiveTicketRegistry
  contactKeys: ContactKeys
  nextMessageId: NextId
  logger: Logger
  clock: Pick<Clock, 'now'>
  /** Returns the adapter of a provider, if one is installed. */
  channel?: (provider: string) => Channel | undefined
}
/** The last known active ticket of each person, by the ids of their contacts, which a merge changes (A-MERGE-01). An outdated claim is harmless, because a closed ticket refuses the command. */
export type Claims = Map<string, TicketRef>

type Message = Extract<InboundEvent, { type: 'message' }>

/** Executes an inbound event on the contact's active ticket. Command ids derive from the provider's ids, so a redelivery changes nothing. */
export async function handleInboundEvent(
  leased: LeasedConnection,
  claims: Claims,
  attempt: InboundAttempt,
  event: InboundEvent,
  deps: Deps,
): Promise<void> {
  const { connection } = leased
  if (event.type === 'receipt' || event.type === 'failed' || event.type === 'accepted') return report(connection, event, attempt, deps)
  if (event.type === 'numberChanged') return applyNumberChange(connection, event, deps)
  if (event.type === 'unparsed') return parseAgain(connection, event.part, deps)
  const inbound = event.type === 'call' ? call(event) : event
  if (inbound.from.length === 0) refuse('ERR_WAPP_INVALID_CONTACT') // an address of an unknown kind: the event becomes a dead letter
  const from = fromOf(inbound)
  if (from.group && !connection.allowGroup) return
  const contact = await resolveContact(connection, from, inbound.type === 'message', deps)
  if (!contact && inbound.type === 'message') throw new Error('Cannot resolve a contact for the inbound message')
  if (!contact) throw new TargetMissing(inbound.type) // a person without a contact has no message here yet
  if (!contact.active) {
    const { companyId, id: connectionId } = connection
    deps.logger.info(
      { companyId, connectionId, contactId: contact.id, externalId: attempt.externalId },
      'Inbound event of a blocked contact ignored',
    ) // A-BOT-01
    return
  }
  if (from.group && inbound.from.length > 1) await resolveContact(connection, { ids: inbound.from, name: '', group: false }, false, deps) // links all identifiers of the participant
  const contactId = await servedAs(connection, contact, deps)
  const who: ConversationKey = { companyId: connection.companyId, connectionId: connection.id, contactId }
  const person: Person = { companyId: connection.companyId, connectionId: connection.id, contactIds: [contact.id, ...contact.others] }
  const by: Actor = inbound.fromMe ? { kind: 'system' } : { kind: 'contact', id: contactId }
  const metadata: CommandMetadata = { companyId: connection.companyId, by, ...(inbound.at && { occurredAt: inbound.at }) }
  const commandId = `${connection.id}/${attempt.externalId}`
  const same = (inbound.from.find(({ kind }) => kind === 'lid') ?? inbound.from[0]!).id
  const author = from.group && !inbound.fromMe ? authorOf(await deps.contactKeys.of(who), same) : null
  if (inbound.type !== 'message') {
    const command = await changeCommand(inbound, author, connection.companyId, deps)
    for (const ticketId of await placesOf(deps.db, person, inbound.externalId)) {
      const { media = null, hold } = inbound.type === 'edit' ? inbound : {}
      const execute = () => deps.execute(ticketId, { ...command, ...metadata }, commandId)
      const { events } = await executeWithUpload(
        deps.db,
        { media, ...(hold && { hold }) },
        { companyId: connection.companyId, ticketId },
        execute,
      )
      if (events.length > 0) return
    }
    if (await findMessage(person, inbound.externalId, deps)) return // already applied, or not allowed for this person
    const known = await knownAs(person, inbound.externalId, deps)
    if (known !== null && known !== inbound.externalId)
      return handleInboundEvent(leased, claims, attempt, { ...inbound, externalId: known }, deps)
    throw new TargetMissing(inbound.type)
  }
  if (inbound.fromMe && (await ownSend(person, inbound.externalId, attempt, deps))) return
  if (attempt.unsure && (await findMessage(person, inbound.externalId, deps)) !== null && !attempt.awaited) return // its ticket may be closed by now, and the message must not open a second one
  const quotes = inbound.quotedExternalId && ((await knownAs(person, inbound.quotedExternalId, deps)) ?? inbound.quotedExternalId)
  const message = { ...inbound, quotedExternalId: quotes }
  const command = inbound.fromMe
    ? await externalMessageCommand(message, who, deps)
    : await receiveCommand(message, author, who, from.group, connection, deps)
  const earlier = attempt.awaited ? await findMessage(person, inbound.externalId, deps) : null
  const group = from.group && connection.groupAsTicket !== 'enabled'
  const opening = {
    contactId,
    connectionId: connection.id,
    channel: connection.channel,
    group,
    queueId: connection.queueId,
    predecessorId: null,
  }
  const { companyId } = connection
  const execute = ({ ticketId, uuid }: TicketRef, how: How) =>
    executeWithUpload(deps.db, inbound, { companyId, ticketId }, () =>
      deps.execute(ticketId, { ...command, ...how, opening: { ...opening, ticketId, uuid }, ...metadata }, commandId),
    )
  if (earlier) await execute(earlier, {})
  else await executeOnTicket(leased, claims, { ...who, person: person.contactIds.toSorted((a, b) => a - b).join() }, execute, deps)
  if (event.type === 'call') await rejectCall(event, who, connection, deps)
}

/** Returns which of a person's contacts has an open ticket, else a waiting one. The conversation continues in that ticket. */
export async function servedAs(
  { id: connectionId, companyId }: Pick<Connection, 'id' | 'companyId'>,
  { id, others }: ResolvedContact,
  { activeTickets, load }: Pick<Deps, 'activeTickets' | 'load'>,
): Promise<number> {
  let waits: number | null = null
  for (const contactId of others.length > 0 ? [id, ...others] : []) {
    const ticketId = await activeTickets.active({ companyId, connectionId, contactId })
    if (ticketId === undefined) continue
    if ((await load(companyId, ticketId)).status === 'open') return contactId
    waits ??= contactId
  }
  return waits ?? id
}
function fromOf(inbound: Message | Changed): InboundSender {
  const groupId = typeof inbound.group === 'string' ? inbound.group : (inbound.group?.id ?? null)
  const name = inbound.type !== 'message' ? '' : (inbound.group?.name ?? (inbound.fromMe ? '' : inbound.name))
  return { ids: groupId === null ? inbound.from : [{ kind: 'group', id: groupId }], name: cleanName(name), group: groupId !== null }
}
/** Whether the message will be processed. Its file is downloaded only then. */
export async function willBeProcessed(connection: Connection, message: Message, store: ContactStore): Promise<boolean> {
  const from = fromOf(message)
  if (from.group && !connection.allowGroup) return false
  return (await resolveContact(connection, from, false, store))?.active ?? true
}

type How = { resumes?: { withinMs: number; queueId: number | null } }
/** Executes the command on the contact's active ticket, or on the next one if that is closed. */
async function executeOnTicket(
  { connection, isLeaseValid, people }: LeasedConnection,
  claims: Claims,
  { person, ...who }: ConversationKey & { person: string },
  execute: (named: TicketRef, how: How) => Promise<unknown>,
  deps: Deps,
): Promise<void> {
  const known = claims.has(person)
  let resumed = known ? null : await resumable(connection, who, null, deps)
  for (let claim = claims.get(person) ?? resumed?.claim ?? (await deps.activeTickets.claim(who)), tried = resumed !== null; ; ) {
    if (!isLeaseValid()) throw new Unavailable('Connection lease has expired')
    try {
      await execute({ ticketId: claim.ticketId, uuid: claim.uuid }, resumed?.how ?? {})
      rememberClaim(claims, person, claim)
      if (!known) people.set()
      return
    } catch (error) {
      claims.delete(person)
      const over = error instanceof Refusal && (error.code === 'ERR_TICKET_NOT_OPEN' || error.code === 'ERR_NO_TICKET_FOUND')
      if (!over) throw error
      resumed = tried ? null : await resumable(connection, who, claim, deps)
      tried = true
      claim = resumed?.claim ?? (await deps.activeTickets.claimAfter(who, claim.ticketId))
    }
  }
}

const participantOf = (from: Identity[], name: string): Participant => ({
  id: (from.find((one) => one.kind === 'phone') ?? from[0]!).id,
  name: cleanName(name),
})
/** A quoted message that is not stored here is shown as the message itself quotes it. */
async function aboutOf(
  { about, quoted, quotedExternalId }: Message,
  { contactId, ...who }: ConversationKey,
  deps: Deps,
): Promise<Message['about']> {
  if (about || !quoted) return about
  const stands = quotedExternalId && (await findMessage({ ...who, contactIds: [contactId] }, quotedExternalId, deps))
  return stands ? undefined : quoted
}
async function receiveCommand(
  message: Message,
  author: string | null,
  who: ConversationKey,
  inGroup: boolean,
  connection: Connection,
  deps: Deps,
) {
  const { externalId, kind, body, media, vCard, quotedExternalId, forwarded, undecryptable, group, name, from } = message
  const quoted = await quotedIn(who, quotedExternalId, deps)
  const about = await aboutOf(message, who, deps)
  const asked = inGroup ? null : await consentOf(deps.db, who)
  return {
    ...{ type: 'Receive' as const, messageId: await deps.nextMessageId(), externalId, author, kind, body, media, vCard, quotedExternalId },
    ...quoted,
    participant: group && participantOf(from, name),
    ...(forwarded && { forwarded }),
    ...(undecryptable && { undecryptable }),
    ...(about && { about }),
    ...(asked && !asked.accepted && { consent: asked.consent }),
    ...{ mostRatings: connection.maxUseBotQueuesNPS, lanesBack: connection.lanesBack },
  }
}
async function externalMessageCommand(message: Message, who: ConversationKey, deps: Deps) {
  const { externalId, kind, body, media, vCard, quotedExternalId, forwarded } = message
  const quoted = await quotedIn(who, quotedExternalId, deps)
  const about = await aboutOf(message, who, deps)
  const content = { messageId: await deps.nextMessageId(), externalId, kind, body, media, vCard, quotedExternalId }
  return {
    type: 'SendExternally' as const,
    ...content,
    ...quoted,
    ...(forwarded && { forwarded }),
    ...(about && { about }),
  }
}

/** Turns a call into a message, because calls appear in the conversation (A-CALL-01). */
const call = ({ externalId, from, name, video, at }: Extract<InboundEvent, { type: 'call' }>): Message => ({
  ...{ type: 'message', externalId, from, name, group: null, kind: 'call_log', body: video ? '📹' : '' },
  ...{ media: null, vCard: null, quotedExternalId: null, at },
})
async function rejectCall(
  { externalId, from }: Extract<InboundEvent, { type: 'call' }>,
  who: ConversationKey,
  { provider }: Connection,
  deps: Deps,
): Promise<void> {
  const channel = deps.channel?.(provider)
  if (!channel?.rejectCall || on(await settingsOf(deps.db, who.companyId), 'acceptCallWhatsapp')) return
  const to = { ...who, number: from[0]!.id, ids: from, group: false }
  await channel.rejectCall(to, externalId).catch((err) => deps.logger.warn({ err }, 'Call could not be rejected')) // it may have ended
}

function rememberClaim(claims: Claims, person: string, claim: TicketRef): void {
  if (claims.size >= 20_000) claims.clear()
  claims.set(person, claim)
}

type Changed = Extract<InboundEvent, { type: 'reaction' | 'removal' | 'edit' }>
async function changeCommand(event: Changed, author: string | null, companyId: number, { db }: Deps): Promise<TicketCommand> {
  const { type, externalId, fromMe } = event
  if (type === 'reaction') {
    const { emoji, group, name = '' } = event
    if (fromMe) return { type: 'ReactExternally', externalId, emoji }
    const participant = group !== null && emoji !== '' && participantOf(event.from, name)
    return { type: 'ContactReacts', externalId, emoji, author, ...(participant && { participant }) }
  }
  if (type === 'edit') {
    const edit = { externalId, body: event.body, ...(event.media && { media: event.media }) }
    return fromMe ? { type: 'EditExternally', ...edit } : { type: 'ContactEdits', ...edit, author }
  }
  if (fromMe) return { type: 'RemoveExternally', externalId }
  return { type: 'ContactRemoves', externalId, empties: on(await settingsOf(db, companyId), 'lgpdDeleteMessage'), author }
}
