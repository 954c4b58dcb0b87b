import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { cleanName } from '#domain/contract.ts'
import type { CommandMetadata } from '#domain/decider.ts'
import { Refusal } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { storable } from '#projections/row-writer.ts'
import type { Connection, Identity, InboundEvent, LeasedConnection } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { authorOf } from '../crypto/contact-keys.ts'
import { Unavailable } from '../event-store/event-store.ts'
import { keepUntilNamed } from '../storage/upload-reservations.ts'
import type { ConversationKey, TicketRef } from '../ticket/active-ticket-registry.ts'
import { erasedAmong, type InboundSender, nameOf, resolveContact } from './contact-resolver.ts'
import { servedAs } from './handle-inbound-event.ts'
import { placeholder } from './inbound-journal.ts'
import { quotedIn } from './quoted-message.ts'

export type Imported = Extract<InboundEvent, { type: 'message' }>
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
export function isWanted(
  { importOldMessages, importRecentMessages, importOldMessagesGroups }: Importing,
  { at, group }: Imported,
): boolean {
  const time = Date.parse(at)
  if (group && !importOldMessagesGroups) return false
  if (importOldMessages !== null && time < Date.parse(importOldMessages)) return false
  return importRecentMessages === null || time <= Date.parse(importRecentMessages)
}

const atOnce = 500
/** Keeps what was told of the time before, each message once, by its conversation. */
export async function gather(
  db: Kysely<Database>,
  { id: connectionId, companyId }: { id: number; companyId: number },
  all: Imported[],
): Promise<void> {
  const of = { connectionId, companyId }
  for (const [conversation, list] of Map.groupBy(all, ({ group, from }) => group?.id ?? from[0]!.id)) {
    await db
      .insertInto('importChat')
      .values({ ...of, conversation, ticketId: null, uuid: null, begunAt: null, doneAt: null })
      .onConflict((row) => row.columns(['connectionId', 'conversation']).where('begunAt', 'is', null).doNothing())
      .execute()
    const chat = db.selectFrom('importChat').select('id').where('connectionId', '=', connectionId).where('conversation', '=', conversation)
    const { id: chatId } = await chat.where('begunAt', 'is', null).executeTakeFirstOrThrow()
    for (let n = 0; n < list.length; n += atOnce)
      await db
        .insertInto('importMessage')
        .values(
          list.slice(n, n + atOnce).map((heard) => ({ ...of, chatId, externalId: heard.externalId, at: heard.at, heard: storable(heard) })),
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
  await db.deleteFrom('importMessage').where('connectionId', '=', connectionId).where('heard', 'is not', null).execute()
  const left = { doneAt: sql<string>`app_now()`, conversation: '' }
  await db.updateTable('importChat').set(left).where('connectionId', '=', connectionId).where('doneAt', 'is', null).execute()
  await importEnded(db, connectionId)
}

/** It will be the same no however often it is asked. */
export const isNo = (error: unknown): error is Refusal => error instanceof Refusal && error.status < 500

/** What was said by nobody who was erased since: no history brings them back. */
export async function withoutErased(
  connection: Pick<Connection, 'companyId' | 'channel'>,
  all: Imported[],
  db: Kysely<Database>,
): Promise<Imported[]> {
  const people = ({ from, group }: Imported): Identity[] => (group ? [...from, { kind: 'group', id: group.id }] : from)
  const ids = new Map(all.flatMap(people).map((one) => [nameOf(one), one]))
  const erased = await erasedAmong(connection, [...ids.values()], db)
  return erased.size === 0 ? all : all.filter((message) => !people(message).some((one) => erased.has(nameOf(one))))
}

type Chat = Awaited<ReturnType<typeof openChat>>
const openChat = (db: Kysely<Database>, connectionId: number, chatId: number) =>
  openChats(db, connectionId).where('id', '=', chatId).executeTakeFirst()
const waiting = (db: Kysely<Database>, chatId: number) =>
  db.selectFrom('importMessage').where('chatId', '=', chatId).where('heard', 'is not', null)

/**
 * Puts a conversation into a ticket of its own, whatever else is said meanwhile: it is closed until all is in it, and waits then for people
 * where nobody has written since. Begun again, it goes on where it stood: what the ticket has it has once. Where another ticket began in between,
 * the rest is a conversation of its own from here on.
 */
export async function importChat(
  line: Pick<LeasedConnection, 'connection' | 'isLeaseValid'>,
  chatId: number,
  fetch: (message: Imported) => Promise<Imported>,
  ctx: AppContext,
  signal: AbortSignal,
): Promise<void> {
  const { connection, isLeaseValid: sure } = line
  const { db, load, activeTickets } = ctx
  const settings = await importOf(db, connection.id)
  const chat = await openChat(db, connection.id, chatId)
  if (!settings || !chat) return
  const stillOurs = () => {
    if (signal.aborted || !sure()) throw new Unavailable('another process may hold the connection by now')
  }
  const rows = await waiting(db, chatId).select('heard').orderBy('at').orderBy('n', 'desc').execute()
  const messages = await withoutErased(
    connection,
    rows.map(({ heard }) => heard as unknown as Imported),
    db,
  )
  const who = await whose(connection, messages, ctx)
  const missing = who ? await ofOneTicket(chat, await unknown(connection.id, messages, db), who, db) : []
  if (who && missing.length > 0) await bringIn(chat, missing, { ...who, connection, settings }, fetch, ctx, stillOurs)
  const { ticketId, uuid } = (await openChat(db, connection.id, chatId)) ?? chat
  const now = ticketId === null ? null : await load(connection.companyId, ticketId)
  const end = await importOf(db, connection.id) // its queue may be another by now
  stillOurs()
  if (!end || end.closedTicketsPostImported || now?.status !== 'closed' || (await goesOn(chat, db))) return
  const of = { companyId: connection.companyId, connectionId: connection.id, contactId: now.contactId }
  if ((await activeTickets.retake(of, { ticketId: now.ticketId, uuid: uuid! }, now.revision)) !== ticketId) return // who wrote meanwhile has a ticket, and this is what was said before
  const stamp: CommandMetadata = { companyId: connection.companyId, by: { kind: 'system' } }
  await ctx.execute(
    now.ticketId,
    { type: 'EndImport', queueId: end.queueIdImportMessages, ...stamp },
    `import-end/${connection.id}/${chatId}`,
  )
}

type Whose = { companyId: number; contactId: number; contactIds: number[] }
/** Whom it was said with; null: nobody who is heard. */
async function whose(connection: Connection, all: Imported[], ctx: AppContext): Promise<Whose | null> {
  const first = all[0]
  if (!first) return null
  const { group } = first
  const ids = group ? [{ kind: 'group' as const, id: group.id }] : first.from
  const name = group ? group.name : (all.find((message) => !message.fromMe && message.name !== '')?.name ?? '')
  const from: InboundSender = { ids, name: cleanName(name), group: group !== null }
  const contact = await resolveContact(connection, from, true, ctx.db)
  if (!contact?.active || (group && !connection.allowGroup)) return null
  const contactId = await servedAs(connection, contact, ctx)
  return { companyId: connection.companyId, contactId, contactIds: [contact.id, ...contact.others] }
}

/**
 * The tickets of a conversation stand in the order in which they began, and what a ticket holds in the order of its stream. So what was said
 * after another ticket of theirs had begun comes into one behind that.
 */
async function ofOneTicket(chat: NonNullable<Chat>, all: Imported[], { contactIds }: Whose, db: Kysely<Database>): Promise<Imported[]> {
  const { connectionId, companyId, conversation, begunAt, ticketId } = chat
  if (all.length === 0) return []
  const began = db.selectFrom('ticket').select('createdAt').where('contactId', 'in', contactIds).where('whatsappId', '=', connectionId)
  const between = began.where('createdAt', '>=', all[0]!.at).where('createdAt', '<', all.at(-1)!.at)
  const others = ticketId === null ? between : between.where('id', '!=', ticketId)
  const next = await others.orderBy('createdAt').limit(1).executeTakeFirst()
  if (!next) return all
  const after = ({ at }: Imported) => Date.parse(at) > Date.parse(next.createdAt)
  await db.transaction().execute(async (on) => {
    const made = { connectionId, companyId, conversation, begunAt, ticketId: null, uuid: null, doneAt: null }
    const { id } = await on.insertInto('importChat').values(made).returning('id').executeTakeFirstOrThrow()
    const ids = all.filter(after).map(({ externalId }) => externalId)
    await on
      .updateTable('importMessage')
      .set({ chatId: id })
      .where('chatId', '=', chat.id)
      .where(sql<boolean>`external_id = any(${ids}::text[])`)
      .execute()
  })
  return all.filter((message) => !after(message))
}
/** What was said in it later is about to be imported too. */
async function goesOn({ id, connectionId, conversation }: NonNullable<Chat>, db: Kysely<Database>): Promise<boolean> {
  const later = openChats(db, connectionId).where('conversation', '=', conversation).where('id', '>', id)
  return (await later.executeTakeFirst()) !== undefined
}

type Into = Whose & { connection: Connection; settings: Importing }
async function bringIn(
  chat: NonNullable<Chat>,
  all: Imported[],
  { companyId, contactId, connection, settings }: Into,
  fetch: (message: Imported) => Promise<Imported>,
  ctx: AppContext,
  stillOurs: () => void,
): Promise<void> {
  const { db, execute, contactKeys } = ctx
  const { group } = all[0]!
  const who: ConversationKey = { companyId, connectionId: connection.id, contactId }
  const named = await ticketFor(chat.id, ctx)
  const groupKey = group && (await contactKeys.of(who))
  const opening = {
    ...{ ...named, contactId, connectionId: connection.id, channel: connection.channel },
    group: group !== null && connection.groupAsTicket !== 'enabled',
    ...{ queueId: settings.queueIdImportMessages, follows: null },
  }
  for (const message of all) {
    const fetched = await fetch(message)
    const { externalId, kind, body, media, vCard, quotedExternalId, fromMe, at, from } = fetched
    stillOurs()
    const own = waiting(db, chat.id).where('externalId', '=', externalId)
    if (!(await own.select('at').executeTakeFirst())) continue // whoever said it was erased a moment ago
    const person = (from.find((one) => one.kind === 'phone') ?? from[0]!).id
    const theirs = group && !fromMe
    const command = {
      ...{ type: 'Import' as const, messageId: await ctx.nextMessageId(), externalId },
      from: fromMe ? ('us' as const) : ('contact' as const),
      participant: theirs ? { id: person, name: cleanName(message.name) } : null,
      author: theirs ? authorOf(groupKey!, (from.find(({ kind }) => kind === 'lid') ?? from[0]!).id) : null,
      ...{ kind, body, media, vCard, quotedExternalId, opening, ...(await quotedIn(who, quotedExternalId, ctx)) },
      ...{ companyId, by: { kind: 'system' as const }, ...(at && { occurredAt: at }) },
    }
    const into = { companyId, ticketId: named.ticketId }
    const over = db.updateTable('importMessage').set({ heard: null }).where('chatId', '=', chat.id)
    try {
      await keepUntilNamed(db, fetched, into, () => execute(into.ticketId, command, `import/${connection.id}/${externalId}`))
      await over.where('externalId', '=', externalId).execute()
    } catch (error) {
      if (!isNo(error)) throw error
      ctx.logger.warn({ err: error, connectionId: connection.id, externalId }, 'what was said before could not be imported')
      if (error.code !== 'ERR_NO_TICKET_FOUND') continue
      await over.execute() // that one was deleted, and nothing of it comes back
      return
    }
  }
}

/** The one ticket of a conversation, whoever asks for it first. */
async function ticketFor(chatId: number, { db, nextTicketId }: AppContext): Promise<TicketRef> {
  const own = { ticketId: await nextTicketId(), uuid: randomUUID() }
  await db.updateTable('importChat').set(own).where('id', '=', chatId).where('ticketId', 'is', null).execute()
  const row = db.selectFrom('importChat').select(['ticketId', 'uuid']).where('id', '=', chatId)
  return (await row.executeTakeFirstOrThrow()) as TicketRef
}

/** What neither came here nor left from here: of the days before, a phone tells that too. The journal and the outbox keep every id. */
async function unknown(connectionId: number, all: Imported[], db: Kysely<Database>): Promise<Imported[]> {
  const ids = all.map(({ externalId }) => externalId)
  const { rows } = await sql<{ externalId: string }>`
    select external_id from inbound_event where connection_id = ${connectionId}
      and external_id = any(${[...ids, ...ids.map((id) => id + placeholder)]}::text[])
    union all select external_id from outbox where connection_id = ${connectionId} and kind = 'send' and external_id = any(${ids}::text[])
    union all select unnest(part_ids) from outbox where connection_id = ${connectionId} and kind = 'send' and part_ids && ${ids}::text[]`.execute(
    db,
  )
  const known = new Set(rows.map(({ externalId }) => externalId))
  return all.filter(({ externalId }) => !known.has(externalId) && !known.has(externalId + placeholder))
}
