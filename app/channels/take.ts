import type { Kysely } from 'kysely'
import { cleanName } from '#domain/contract.ts'
import type { Actor, Asker } from '#domain/decider.ts'
import { Refusal } from '#domain/errors.ts'
import { on } from '#domain/setting/contract.ts'
import type { Opening } from '#domain/ticket/attendance.ts'
import type { ConversationCommand } from '#domain/ticket/conversation.ts'
import type { Database } from '#projections/database.ts'
import { Unavailable } from '../eventlog/eventlog.ts'
import { authorOf, type ContactKeys } from '../eventlog/keys.ts'
import type { Reached } from '../http/reached.ts'
import type { NextId } from '../ids.ts'
import { settingsOf } from '../setting/read.ts'
import type { Named, Place, Who } from '../ticket/place.ts'
import type { AskTicket, SeeTicket } from '../ticket/store.ts'
import { contactFor, type From, ticketsOf } from './caller.ts'
import type { Connection, Heard, Line } from './channel.ts'
import { consentOf } from './consent.ts'
import { resumable } from './resume.ts'

export type Deps = {
  db: Kysely<Database>
  ask: AskTicket
  see: SeeTicket
  reached: Reached
  head: () => Promise<bigint | null>
  place: Place
  keys: ContactKeys
  nextMessageId: NextId
}
/** Which ticket had a contact's place when it was last asked; the ticket itself says when that is over. */
export type Claims = Map<number, Named>

/** What was heard → a command to the ticket that has the contact's place. Every id derives from the provider's, so twice is once. */
export async function take(
  { now: connection, sure }: Line,
  claims: Claims,
  externalId: string,
  heard: Heard,
  unsure: boolean,
  deps: Deps,
): Promise<void> {
  if (heard.type === 'mark') return mark(connection, heard, deps)
  if (heard.type === 'failed' || heard.type === 'call') return
  const groupId = typeof heard.group === 'string' ? heard.group : (heard.group?.id ?? null)
  const person = heard.from[0]!.id
  const from: From = {
    number: groupId ?? person,
    name: heard.type === 'message' ? cleanName(heard.group?.name ?? heard.name) : '',
    group: groupId !== null,
  }
  const contact = await contactFor(connection, from, heard.type === 'message', deps.db)
  if (!contact?.active) return // blocked, or unknown and nothing said (A-BOT-01)
  if (from.group && !connection.allowGroup) return
  const who = { companyId: connection.companyId, connectionId: connection.id, contactId: contact.id }
  const by: Actor = { kind: 'contact', id: contact.id }
  const stamp: Asker = { companyId: connection.companyId, by, ...(heard.at && { occurredAt: heard.at }) }
  const author = from.group ? authorOf(await deps.keys.of(who), person) : null
  const commandId = `${connection.id}/${externalId}`
  if (heard.type !== 'message') {
    const command = { ...(await changeOf(heard, connection.companyId, deps)), author }
    for (const ticketId of await ticketsOf(deps.db, who)) {
      const { facts } = await deps.ask(ticketId, { ...command, ...stamp }, commandId)
      if (facts.length > 0) return
    }
    return
  }
  const { kind, body, media, vCard, quotedExternalId } = heard
  if (unsure && (await alreadyTaken(who, externalId, deps))) return
  const messageId = await deps.nextMessageId()
  const asked = from.group ? null : await consentOf(deps.db, who)
  const group = from.group && connection.groupAsTicket !== 'enabled'
  let resumed = claims.has(contact.id) ? null : await resumable(connection, who, null, deps)
  for (let claim = claims.get(contact.id) ?? resumed?.claim ?? (await deps.place.claim(who)), tried = resumed !== null; ; ) {
    const opening: Opening = {
      ...{ ticketId: claim.ticketId, uuid: claim.uuid, contactId: contact.id, connectionId: connection.id },
      ...{ channel: connection.channel, group, queueId: connection.queueId, follows: null },
    }
    if (!sure()) throw new Unavailable('another process may hold the connection by now')
    try {
      await deps.ask(
        claim.ticketId,
        {
          type: 'Receive',
          externalId,
          participant: heard.group && { id: person, name: cleanName(heard.name) },
          author,
          messageId,
          kind,
          body,
          media,
          vCard,
          quotedExternalId,
          opening,
          ...(asked && !asked.accepted && { consent: asked.consent }),
          mostRatings: connection.maxUseBotQueuesNPS,
          lanesBack: connection.lanesBack,
          ...resumed?.how,
          ...stamp,
        },
        commandId,
      )
      keep(claims, contact.id, claim)
      return
    } catch (error) {
      claims.delete(contact.id)
      const over = error instanceof Refusal && (error.code === 'ERR_TICKET_NOT_OPEN' || error.code === 'ERR_NO_TICKET_FOUND')
      if (!over) throw error
      resumed = tried ? null : await resumable(connection, who, claim, deps)
      tried = true
      claim = resumed?.claim ?? (await deps.place.claimAfter(who, claim.ticketId))
    }
  }
}

function keep(claims: Claims, contactId: number, claim: Named): void {
  if (claims.size >= 20_000) claims.clear()
  claims.set(contactId, claim)
}

type Changed = Extract<Heard, { type: 'reaction' | 'removal' | 'edit' }>
type Change = Extract<ConversationCommand, { type: 'ContactReacts' | 'ContactRemoves' | 'ContactEdits' }>
async function changeOf(heard: Changed, companyId: number, { db }: Deps): Promise<Change> {
  if (heard.type === 'reaction') return { type: 'ContactReacts', externalId: heard.externalId, emoji: heard.emoji }
  if (heard.type === 'removal')
    return { type: 'ContactRemoves', externalId: heard.externalId, empties: on(await settingsOf(db, companyId), 'lgpdDeleteMessage') }
  return { type: 'ContactEdits', externalId: heard.externalId, body: heard.body }
}

/** After a crash, or an append whose answer was lost, a message may stand in a ticket that was closed since: it must not open a second one. */
async function alreadyTaken({ companyId, ...who }: Who, externalId: string, { db, see }: Deps): Promise<boolean> {
  for (const ticketId of await ticketsOf(db, who)) {
    const ticket = await see(companyId, ticketId, { ids: [externalId] })
    if (ticket.status !== 'absent' && ticket.status !== 'deleted' && ticket.spent.has(externalId)) return true
  }
  return false
}

async function mark(connection: Connection, { externalIds, mark, at }: Extract<Heard, { type: 'mark' }>, { db, ask }: Deps): Promise<void> {
  const rows = await db
    .selectFrom('outbox')
    .select(['ticketId', 'externalId', 'contactId'])
    .where('connectionId', '=', connection.id)
    .where('kind', '=', 'send')
    .where(({ or, eb }) => or([eb('externalId', 'in', externalIds), eb('providerId', 'in', externalIds)]))
    .execute()
  for (const [ticketId, own] of Map.groupBy(rows, (row) => row.ticketId)) {
    const by: Actor = { kind: 'contact', id: own[0]!.contactId }
    const stamp: Asker = { companyId: connection.companyId, by, ...(at && { occurredAt: at }) }
    const ids = own.map((row) => row.externalId)
    await ask(ticketId, { type: 'Mark', mark, externalIds: ids, ...stamp }, `${connection.id}/${mark}/${ids.join()}`)
  }
}
