import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { cleanName } from '#domain/contract.ts'
import type { Asker } from '#domain/decider.ts'
import { Refusal } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { storable } from '#projections/writing.ts'
import { Unavailable } from '../eventlog/eventlog.ts'
import { authorOf } from '../eventlog/keys.ts'
import type { House } from '../house.ts'
import type { Named, Who } from '../ticket/place.ts'
import { contactFor, type From, ticketsOf } from './caller.ts'
import type { Heard, Line } from './channel.ts'

export type Said = Extract<Heard, { type: 'message' }>
/** What an import does and where it puts it, as its connection says (R-CONN-08). */
export type Importing = {
  importOldMessages: string | null
  importRecentMessages: string | null
  importOldMessagesGroups: boolean
  closedTicketsPostImported: boolean
  queueIdImportMessages: number | null
}
const importing = [
  ...(['importOldMessages', 'importRecentMessages', 'importOldMessagesGroups'] as const),
  ...(['closedTicketsPostImported', 'queueIdImportMessages'] as const),
]
/** Null: nothing is imported by this connection. */
export async function importOf(db: Kysely<Database>, id: number): Promise<Importing | null> {
  const row = db.selectFrom('connection').select(importing).where('id', '=', id).where('enableImportMessage', '=', true)
  return (await row.executeTakeFirst()) ?? null
}

/** Whether it was said in the time that is wanted, and where it is wanted. */
export function isWanted({ importOldMessages, importRecentMessages, importOldMessagesGroups }: Importing, { at, group }: Said): boolean {
  const said = Date.parse(at)
  if (group && !importOldMessagesGroups) return false
  if (importOldMessages !== null && said < Date.parse(importOldMessages)) return false
  return importRecentMessages === null || said <= Date.parse(importRecentMessages)
}

const atOnce = 500
/** Keeps what was told of the time before, each message once, by its conversation. */
export async function gather(
  db: Kysely<Database>,
  { id: connectionId, companyId }: { id: number; companyId: number },
  all: Said[],
): Promise<void> {
  const of = { connectionId, companyId }
  for (const [conversation, said] of Map.groupBy(all, ({ group, from }) => group?.id ?? from[0]!.id)) {
    await db
      .insertInto('importChat')
      .values({ ...of, conversation, ticketId: null, uuid: null, begunAt: null, doneAt: null })
      .onConflict((row) => row.columns(['connectionId', 'conversation']).where('begunAt', 'is', null).doNothing())
      .execute()
    const chat = db.selectFrom('importChat').select('id').where('connectionId', '=', connectionId).where('conversation', '=', conversation)
    const { id: chatId } = await chat.where('begunAt', 'is', null).executeTakeFirstOrThrow()
    for (let n = 0; n < said.length; n += atOnce)
      await db
        .insertInto('importMessage')
        .values(
          said.slice(n, n + atOnce).map((heard) => ({ ...of, chatId, externalId: heard.externalId, at: heard.at, heard: storable(heard) })),
        )
        .onConflict((row) => row.doNothing())
        .execute()
  }
}

/** The conversations that were begun and are not in their tickets yet. */
export const openChats = (db: Kysely<Database>, connectionId: number) =>
  db
    .selectFrom('importChat')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .where('begunAt', 'is not', null)
    .where('doneAt', 'is', null)

/** What `statusImportMessages` says beside the moment at which something was told last. */
export const running = 'Running'
export const leftToClose = 'renderButtonCloseTickets'

/** The tickets that were made of what a connection imported. */
export const importedTickets = (db: Kysely<Database>, connectionId: number) =>
  db
    .selectFrom('importChat')
    .innerJoin('ticket', 'ticket.id', 'importChat.ticketId')
    .select('ticket.id')
    .where('importChat.connectionId', '=', connectionId)
    .where('ticket.status', '=', 'pending')

/** What is left to say of an import that is over: whether any of its tickets waits to be closed. */
export async function importEnded(db: Kysely<Database>, connectionId: number): Promise<void> {
  const left = await importedTickets(db, connectionId).limit(1).executeTakeFirst()
  await db
    .updateTable('connection')
    .set({ statusImportMessages: left ? leftToClose : null })
    .where('id', '=', connectionId)
    .where('statusImportMessages', 'is not', null)
    .execute()
}

/** Its account is given up, and what that told and is in no ticket yet goes with it. */
export async function forgetImport(db: Kysely<Database>, connectionId: number): Promise<void> {
  await db.deleteFrom('waHistory').where('connectionId', '=', connectionId).execute()
  await db.deleteFrom('importChat').where('connectionId', '=', connectionId).where('doneAt', 'is', null).execute()
  await importEnded(db, connectionId)
}

/** It will be the same no however often it is asked. */
export const isNo = (error: unknown): error is Refusal => error instanceof Refusal && error.status < 500

/**
 * Puts a conversation into a ticket of its own, whatever else is said meanwhile: it is closed until all is in it, and waits then for people
 * where nobody has written since. Begun again, it goes on where it stood: what the ticket has it has once.
 */
export async function importChat(
  { now: connection, sure }: Pick<Line, 'now' | 'sure'>,
  chatId: number,
  fetch: (said: Said) => Promise<Said>,
  house: House,
  signal: AbortSignal,
): Promise<void> {
  const { db, ask, see } = house
  const settings = await importOf(db, connection.id)
  const chat = await openChats(db, connection.id).where('id', '=', chatId).executeTakeFirst()
  if (!settings || !chat) return
  const rows = await db
    .selectFrom('importMessage')
    .select('heard')
    .where('chatId', '=', chatId)
    .orderBy('at')
    .orderBy('externalId')
    .execute()
  const all = rows.map(({ heard }) => heard as Said)
  const first = all[0]
  if (!first) return
  const { group } = first
  const ids = group ? [{ kind: 'group' as const, id: group.id }] : first.from
  const name = group ? group.name : (all.find((said) => !said.fromMe && said.name !== '')?.name ?? '')
  const from: From = { ids, name: cleanName(name), group: group !== null }
  const contact = await contactFor(connection, from, true, db)
  if (!contact?.active || (group && !connection.allowGroup)) return
  const who: Who = { companyId: connection.companyId, connectionId: connection.id, contactId: contact.id }
  const missing = await unknown({ ...who, contactIds: [contact.id, ...contact.others] }, all, chat.ticketId, house)
  if (missing.length === 0 && chat.ticketId === null) return
  const named = await ticketFor(chatId, house)
  const keys = group && (await house.keys.of(who))
  const stillOurs = () => {
    if (signal.aborted || !sure()) throw new Unavailable('another process may hold the connection by now')
  }
  const opening = {
    ...{ ...named, contactId: contact.id, connectionId: connection.id, channel: connection.channel },
    group: group !== null && connection.groupAsTicket !== 'enabled',
    ...{ queueId: settings.queueIdImportMessages, follows: null },
  }
  const stamp = (at?: string): Asker => ({ companyId: who.companyId, by: { kind: 'system' }, ...(at && { occurredAt: at }) })
  for (const told of missing) {
    const { externalId, kind, body, media, vCard, quotedExternalId, fromMe, at, from } = await fetch(told)
    stillOurs()
    const person = (from.find((one) => one.kind === 'phone') ?? from[0]!).id
    const theirs = group && !fromMe
    const asked = ask(
      named.ticketId,
      {
        ...{ type: 'Import', messageId: await house.nextMessageId(), externalId, from: fromMe ? 'us' : 'contact' },
        participant: theirs ? { id: person, name: cleanName(told.name) } : null,
        author: theirs ? authorOf(keys!, (from.find(({ kind }) => kind === 'lid') ?? from[0]!).id) : null,
        ...{ kind, body, media, vCard, quotedExternalId, opening },
        ...stamp(at),
      },
      `import/${connection.id}/${externalId}`,
    )
    await asked.catch((error) => {
      if (!isNo(error) || error.code === 'ERR_NO_TICKET_FOUND') throw error // that one was deleted, and nothing of it comes back
      house.logger.warn({ err: error, connectionId: connection.id, externalId }, 'what was said before could not be imported')
    })
  }
  const now = await see(who.companyId, named.ticketId)
  const end = await importOf(db, connection.id) // its queue may be another by now
  stillOurs()
  if (!end || end.closedTicketsPostImported || now.status !== 'closed') return
  if ((await house.place.retake(who, named, now.revision)) !== named.ticketId) return // who wrote meanwhile has a ticket, and this is what was said before
  const queueId = end.queueIdImportMessages
  await ask(named.ticketId, { type: 'EndImport', queueId, ...stamp() }, `import-end/${connection.id}/${chatId}`)
}

/** The one ticket of a conversation, whoever asks for it first. */
async function ticketFor(chatId: number, { db, nextTicketId }: House): Promise<Named> {
  const own = { ticketId: await nextTicketId(), uuid: randomUUID() }
  await db.updateTable('importChat').set(own).where('id', '=', chatId).where('ticketId', 'is', null).execute()
  const row = db.selectFrom('importChat').select(['ticketId', 'uuid']).where('id', '=', chatId)
  return (await row.executeTakeFirstOrThrow()) as Named
}

/** What no other ticket of the contact has: of the days before, a phone tells what came here too. */
async function unknown(who: Who & { contactIds: number[] }, all: Said[], own: number | null, { db, see }: House): Promise<Said[]> {
  const known = new Set<string>()
  const ids = all.map(({ externalId }) => externalId)
  for (const ticketId of await ticketsOf(db, who)) {
    const ticket = ticketId === own ? null : await see(who.companyId, ticketId, { ids })
    if (ticket && 'spent' in ticket) for (const id of ids) if (ticket.spent.has(id)) known.add(id)
  }
  const journal = db.selectFrom('journal').select('externalId').where('connectionId', '=', who.connectionId)
  const taken = await journal.where(sql<boolean>`external_id = any(${ids}::text[])`).execute()
  for (const { externalId } of taken) known.add(externalId)
  return all.filter(({ externalId }) => !known.has(externalId))
}
