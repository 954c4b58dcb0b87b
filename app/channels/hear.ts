import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { numberKey } from '#domain/contact/rules.ts'
import { cleanName } from '#domain/contract.ts'
import type { Actor, Asker } from '#domain/decider.ts'
import { Refusal } from '#domain/errors.ts'
import { on } from '#domain/setting/contract.ts'
import type { Opening } from '#domain/ticket/attendance.ts'
import type { ConversationCommand } from '#domain/ticket/conversation.ts'
import type { Database } from '#projections/database.ts'
import { Unavailable } from '../eventlog/eventlog.ts'
import { authorOf, type ContactKeys } from '../eventlog/keys.ts'
import { passing } from '../eventlog/passing.ts'
import { announced, backoff } from '../eventlog/patience.ts'
import { caughtUp, type Reached } from '../http/reached.ts'
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
  logger: Logger
}
/** Which ticket had a contact's place when it was last asked; the ticket itself says when that is over. */
type Claims = Map<number, Named>
type Entry = { id: number; externalId: string; conversation: string; heard: Heard | null; failures: number; tries: number; unsure: boolean }

const pageSize = 500
const giveUpAfter = 20
const toldAfter = 10

/** Deals with a connection's journal: conversations side by side, each in its order, until it is told to leave. */
export async function hearing(line: Line, deps: Deps, signal: AbortSignal): Promise<void> {
  const wait = announced(backoff(200, 5000), deps.logger, `hearing connection ${line.now.id}`)
  while (!signal.aborted)
    try {
      await listen(line, deps, wait.over, signal)
    } catch (error) {
      deps.logger[passing(error) ? 'debug' : 'error']({ err: error, connectionId: line.now.id }, 'hearing was interrupted and comes back')
      await wait.pause(error, signal)
    }
}

async function listen(line: Line, deps: Deps, looked: () => void, signal: AbortSignal): Promise<void> {
  const { db } = deps
  const connectionId = line.now.id
  const claims: Claims = new Map()
  await caughtUp(deps)
  let unsure = true // what waited before this process came may have been in another's hands when it ended
  const lanes = new Map<string, Entry[]>()
  const inHand = new Set<number>()
  const finished: number[] = []
  const running = new Set<Promise<void>>()
  signal.addEventListener('abort', line.journal.ring, { once: true })

  /** One lane a conversation; an entry that fails waits and holds those behind it. */
  async function run(conversation: string, lane: Entry[]): Promise<void> {
    for (let entry = lane[0]; entry && !signal.aborted; entry = lane[0]) {
      if (await dealt(line, claims, entry, deps)) {
        lane.shift()
        if (finished.push(entry.id) === 1) setTimeout(() => void settle().catch(() => undefined), 5)
      } else await sleep(Math.min(100 * 2 ** entry.tries++, 10_000), undefined, { signal }).catch(() => undefined)
    }
    lanes.delete(conversation)
  }
  async function settle(): Promise<void> {
    const done = finished.splice(0)
    if (done.length === 0) return
    try {
      await db
        .updateTable('journal')
        .set({ doneAt: new Date().toISOString(), heard: sql<null>`case when refused is not null then heard end` }) // what was taken lies sealed in the log from here on
        .where('id', 'in', done)
        .execute()
      for (const id of done) inHand.delete(id)
    } catch {
      finished.push(...done)
      setTimeout(() => void settle(), 500)
    }
  }

  try {
    while (!signal.aborted) {
      if (line.now.status !== 'CONNECTED') {
        looked()
        await line.journal.rung() // what is told meanwhile waits until it is back
        continue
      }
      const entries = (await db
        .selectFrom('journal')
        .select(['id', 'externalId', 'conversation', 'heard', 'failures'])
        .where('connectionId', '=', connectionId)
        .where('doneAt', 'is', null)
        .where(sql<boolean>`id <> all(${[...inHand]}::bigint[])`) // by what is in hand, not by a mark: identity order is not commit order
        .orderBy('id')
        .limit(pageSize)
        .execute()) as Entry[]
      looked()
      for (const entry of entries) {
        inHand.add(entry.id)
        entry.unsure = unsure
        entry.tries = 0
        const conversation = numberKey(entry.conversation) // one lane for the ways a number is written
        const lane = lanes.get(conversation)
        if (lane) lane.push(entry)
        else {
          const own = [entry]
          lanes.set(conversation, own)
          setImmediate(() => {
            const lane = run(conversation, own)
            running.add(lane)
            void lane.then(() => running.delete(lane))
          })
        }
      }
      unsure &&= entries.length === pageSize
      while (inHand.size > 1500 && !signal.aborted) await sleep(5)
      if (entries.length < pageSize && !signal.aborted) await line.journal.rung()
    }
  } finally {
    await Promise.all(running)
    await settle()
  }
}

/** Whether an entry is over and done with; what cannot be understood after many tries is set aside whole, with its reason, so that it holds nobody for ever. */
async function dealt(line: Line, claims: Claims, entry: Entry, deps: Deps): Promise<boolean> {
  const { id, externalId, heard, tries, unsure } = entry
  try {
    if (heard) await take(line, claims, externalId, heard, unsure || tries > 0, deps)
    return true
  } catch (error) {
    const refused = error instanceof Refusal && error.status < 500 ? error.code : null
    if (!refused && (passing(error) || entry.failures < giveUpAfter)) {
      const silent = passing(error) && tries !== toldAfter
      deps.logger[silent ? 'debug' : 'warn']({ err: error, entry: id, tries, failures: entry.failures }, 'an inbound entry waits')
      if (!passing(error)) await failed(entry, deps)
      return false
    }
    deps.logger.error({ err: error, entry: id }, 'an inbound entry was set aside')
    return deps.db
      .updateTable('journal')
      .set({ refused: refused ?? 'ERR_INTERNAL' })
      .where('id', '=', id)
      .execute()
      .then(
        () => true,
        () => false,
      )
  }
}

/** Kept beside the entry, so that a process that is started again and again does not begin to count anew; an outage counts for nothing. */
async function failed(entry: Entry, { db }: Deps): Promise<void> {
  entry.failures += 1
  await db
    .updateTable('journal')
    .set({ failures: entry.failures })
    .where('id', '=', entry.id)
    .execute()
    .catch(() => undefined)
}

/** What was heard → a command to the ticket that has the contact's place. Every id derives from the provider's, so twice is once. */
async function take(
  { now: connection, sure }: Line,
  claims: Claims,
  externalId: string,
  heard: Heard,
  unsure: boolean,
  deps: Deps,
): Promise<void> {
  if (heard.type === 'mark') return mark(connection, heard, deps)
  const from: From =
    heard.type === 'message'
      ? { number: heard.group?.id ?? heard.from, name: cleanName(heard.group?.name ?? heard.name), group: heard.group !== null }
      : { number: heard.from, name: '', group: heard.group }
  const contact = await contactFor(connection, from, heard.type === 'message', deps.db)
  if (!contact?.active) return // blocked, or unknown and nothing said (A-BOT-01)
  if (from.group && !connection.allowGroup) return
  const who = { companyId: connection.companyId, connectionId: connection.id, contactId: contact.id }
  const by: Actor = { kind: 'contact', id: contact.id }
  const stamp: Asker = { companyId: connection.companyId, by, ...(heard.at && { occurredAt: heard.at }) }
  const participant = heard.type !== 'message' ? heard.participant : heard.group ? heard.from : undefined
  const author = participant === undefined ? null : authorOf(await deps.keys.of(who), participant)
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
          participant: heard.group && { id: heard.from, name: cleanName(heard.name) },
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

type Changed = Exclude<Heard, { type: 'message' | 'mark' }>
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
