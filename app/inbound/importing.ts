import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { cleanName } from '#domain/contract.ts'
import type { CommandMetadata } from '#domain/decider.ts'
import { Refusal } from '#domain/errors.ts'
import type { Database } from '#projections/database.ts'
import { storable } from '#projections/row-writer.ts'
import type { SigningKey } from '../anchor/signing-key.ts'
import type { Connection, Identity, InboundEvent, LeasedConnection } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { authorOf } from '../crypto/contact-keys.ts'
import { Unavailable } from '../event-store/event-store.ts'
import { executeWithUpload } from '../storage/upload-reservations.ts'
import type { ConversationKey, TicketRef } from '../ticket/active-ticket-registry.ts'
import { erasedAmong, type InboundSender, nameOf, resolveContact } from './contact-resolver.ts'
import { erasedAt } from './erased-identities.ts'
import { servedAs } from './handle-inbound-event.ts'
import { placeholder } from './inbound-journal.ts'
import { quotedIn } from './quoted-message.ts'

export type Imported = Extract<InboundEvent, { type: 'message' }>
/** The import options of a connection (R-CONN-08). */
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
/** Returns the import options, or null if the connection does not import. */
export async function importOf(db: Kysely<Database>, id: number): Promise<Importing | null> {
  const row = db.selectFrom('connection').select(importing).where('id', '=', id).where('enableImportMessage', '=', true)
  return (await row.executeTakeFirst()) ?? null
}

/** Whether the options include the message's time and its kind of conversation. */
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
/** Stores messages of the phone's history by conversation, each message once. */
export async function storeImported(
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
          list
            .slice(n, n + atOnce)
            .map((message) => ({ ...of, chatId, externalId: message.externalId, at: message.at, payload: storable(message) })),
        )
        .onConflict((row) => row.doNothing())
        .execute()
  }
}

/** The conversations whose import has begun and is not complete. */
export const openChats = (db: Kysely<Database>, connectionId: number) =>
  db
    .selectFrom('importChat')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .where('begunAt', 'is not', null)
    .where('doneAt', 'is', null)

/** Values of `statusImportMessages`. Otherwise it holds the time of the last history message. */
export const running = 'Running'
export const leftToClose = 'renderButtonCloseTickets'

/** The waiting tickets that an import of this connection created. */
export const importedTickets = (db: Kysely<Database>, connectionId: number) =>
  db
    .selectFrom('importChat')
    .innerJoin('ticket', 'ticket.id', 'importChat.ticketId')
    .select('ticket.id')
    .where('importChat.connectionId', '=', connectionId)
    .where('ticket.status', '=', 'pending')

/** Records the end of an import, and whether some of its tickets can still be closed together. */
export async function importEnded(db: Kysely<Database>, connectionId: number): Promise<void> {
  const left = await importedTickets(db, connectionId).limit(1).executeTakeFirst()
  await db
    .updateTable('connection')
    .set({ statusImportMessages: left ? leftToClose : null })
    .where('id', '=', connectionId)
    .where('statusImportMessages', 'is not', null)
    .execute()
}

/** Deletes the history that is in no ticket yet, because the connection's account is removed. */
export async function forgetImport(db: Kysely<Database>, connectionId: number): Promise<void> {
  await db.deleteFrom('waHistory').where('connectionId', '=', connectionId).execute()
  await db.deleteFrom('importMessage').where('connectionId', '=', connectionId).where('payload', 'is not', null).execute()
  const left = { doneAt: sql<string>`app_now()`, conversation: '' }
  await db.updateTable('importChat').set(left).where('connectionId', '=', connectionId).where('doneAt', 'is', null).execute()
  await importEnded(db, connectionId)
}

/** Whether a retry would be refused again. */
export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal && error.status < 500

/** Removes what erased people wrote before, because an import must not restore it. */
export async function withoutErased(
  connection: Pick<Connection, 'companyId' | 'channel'>,
  all: Imported[],
  db: Kysely<Database>,
  signingKey: Pick<SigningKey, 'sign'>,
): Promise<Imported[]> {
  const people = ({ from, group }: Imported): Identity[] => (group ? [...from, { kind: 'group', id: group.id }] : from)
  const ids = new Map(all.flatMap(people).map((one) => [nameOf(one), one]))
  const erased = await erasedAmong(connection, [...ids.values()], db)
  const times = await erasedAt(db, signingKey, connection.companyId, [...ids.values()])
  const until = new Map([...ids.keys()].map((name, i) => [name, times[i]!]))
  const isOfErased = (message: Imported) =>
    people(message).some((one) => {
      const time = until.get(nameOf(one)) ?? null
      return erased.has(nameOf(one)) || (time !== null && Date.parse(message.at) < Date.parse(time))
    })
  return all.filter((message) => !isOfErased(message))
}

type Chat = Awaited<ReturnType<typeof openChat>>
const openChat = (db: Kysely<Database>, connectionId: number, chatId: number) =>
  openChats(db, connectionId).where('id', '=', chatId).executeTakeFirst()
const unprocessed = (db: Kysely<Database>, chatId: number) =>
  db.selectFrom('importMessage').where('chatId', '=', chatId).where('payload', 'is not', null)

/**
 * Imports a conversation into a ticket of its own. The ticket stays closed until the import ends; it then waits for agents if the contact
 * has no newer ticket. A second run continues, because the ticket ignores messages that it has. Messages after the start of another ticket
 * become a separate conversation.
 */
export async function importChat(
  leased: Pick<LeasedConnection, 'connection' | 'isLeaseValid'>,
  chatId: number,
  fetch: (message: Imported) => Promise<Imported>,
  ctx: AppContext,
  signal: AbortSignal,
): Promise<void> {
  const { connection, isLeaseValid } = leased
  const { db, load, activeTickets } = ctx
  const settings = await importOf(db, connection.id)
  const chat = await openChat(db, connection.id, chatId)
  if (!settings || !chat) return
  const assertLeaseValid = () => {
    if (signal.aborted || !isLeaseValid()) throw new Unavailable('Connection lease has expired')
  }
  const rows = await unprocessed(db, chatId).select('payload').orderBy('at').orderBy('n', 'desc').execute()
  const messages = await withoutErased(
    connection,
    rows.map(({ payload }) => payload as unknown as Imported),
    db,
    ctx.signingKey,
  )
  const who = await resolvePerson(connection, messages, ctx)
  const missing = who ? await splitAtNextTicket(chat, await withoutProcessed(connection.id, messages, db), who, db) : []
  if (who && missing.length > 0) await importMessages(chat, missing, { ...who, connection, settings }, fetch, ctx, assertLeaseValid)
  const { ticketId, uuid } = (await openChat(db, connection.id, chatId)) ?? chat
  const now = ticketId === null ? null : await load(connection.companyId, ticketId)
  const end = await importOf(db, connection.id) // the options may have changed meanwhile
  assertLeaseValid()
  if (!end || end.closedTicketsPostImported || now?.status !== 'closed' || (await hasLaterPart(chat, db))) return
  const of = { companyId: connection.companyId, connectionId: connection.id, contactId: now.contactId }
  if ((await activeTickets.reclaimIfReleased(of, { ticketId: now.ticketId, uuid: uuid! }, now.revision)) !== ticketId) return // a contact who wrote meanwhile has an active ticket
  const metadata: CommandMetadata = { companyId: connection.companyId, by: { kind: 'system' } }
  await ctx.execute(
    now.ticketId,
    { type: 'EndImport', queueId: end.queueIdImportMessages, ...metadata },
    `import-end/${connection.id}/${chatId}`,
  )
}

type Whose = { companyId: number; contactId: number; contactIds: number[] }
/** Resolves the contact of a conversation. Null: a blocked contact, or a group that the connection does not allow. */
async function resolvePerson(connection: Connection, all: Imported[], ctx: AppContext): Promise<Whose | null> {
  const first = all[0]
  if (!first) return null
  const { group } = first
  const ids = group ? [{ kind: 'group' as const, id: group.id }] : first.from
  const name = group ? group.name : (all.find((message) => !message.fromMe && message.name !== '')?.name ?? '')
  const from: InboundSender = { ids, name: cleanName(name), group: group !== null }
  const contact = await resolveContact(connection, from, true, ctx)
  if (!contact?.active || (group && !connection.allowGroup)) return null
  const contactId = await servedAs(connection, contact, ctx)
  return { companyId: connection.companyId, contactId, contactIds: [contact.id, ...contact.others] }
}

/**
 * Tickets of a conversation are ordered by their start, and messages of a ticket by its stream. So messages after the start of the person's
 * next ticket are moved to a separate conversation. Returns the messages before it.
 */
async function splitAtNextTicket(
  chat: NonNullable<Chat>,
  all: Imported[],
  { contactIds }: Whose,
  db: Kysely<Database>,
): Promise<Imported[]> {
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
/** Whether a later part of the conversation is still to be imported. */
async function hasLaterPart({ id, connectionId, conversation }: NonNullable<Chat>, db: Kysely<Database>): Promise<boolean> {
  const later = openChats(db, connectionId).where('conversation', '=', conversation).where('id', '>', id)
  return (await later.executeTakeFirst()) !== undefined
}

type Into = Whose & { connection: Connection; settings: Importing }
async function importMessages(
  chat: NonNullable<Chat>,
  all: Imported[],
  { companyId, contactId, connection, settings }: Into,
  fetch: (message: Imported) => Promise<Imported>,
  ctx: AppContext,
  assertLeaseValid: () => void,
): Promise<void> {
  const { db, execute, contactKeys } = ctx
  const { group } = all[0]!
  const who: ConversationKey = { companyId, connectionId: connection.id, contactId }
  const named = await ticketFor(chat.id, ctx)
  const groupKey = group && (await contactKeys.of(who))
  const opening = {
    ...{ ...named, contactId, connectionId: connection.id, channel: connection.channel },
    group: group !== null && connection.groupAsTicket !== 'enabled',
    ...{ queueId: settings.queueIdImportMessages, predecessorId: null },
  }
  for (const message of all) {
    const fetched = await fetch(message)
    const { externalId, kind, body, media, vCard, quotedExternalId, fromMe, at, from } = fetched
    assertLeaseValid()
    const own = unprocessed(db, chat.id).where('externalId', '=', externalId)
    if (!(await own.select('at').executeTakeFirst())) continue // the person was erased meanwhile
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
    const over = db.updateTable('importMessage').set({ payload: null }).where('chatId', '=', chat.id)
    try {
      await executeWithUpload(db, fetched, into, () => execute(into.ticketId, command, `import/${connection.id}/${externalId}`))
      await over.where('externalId', '=', externalId).execute()
    } catch (error) {
      if (!isRefusal(error)) throw error
      ctx.logger.warn({ err: error, connectionId: connection.id, externalId }, 'Imported message was refused and skipped')
      if (error.code !== 'ERR_NO_TICKET_FOUND') continue
      await over.execute() // the ticket was deleted, so the rest of the conversation is dropped
      return
    }
  }
}

/** Returns the one ticket of a conversation. Concurrent callers get the same one. */
async function ticketFor(chatId: number, { db, nextTicketId }: AppContext): Promise<TicketRef> {
  const own = { ticketId: await nextTicketId(), uuid: randomUUID() }
  await db.updateTable('importChat').set(own).where('id', '=', chatId).where('ticketId', 'is', null).execute()
  const row = db.selectFrom('importChat').select(['ticketId', 'uuid']).where('id', '=', chatId)
  return (await row.executeTakeFirstOrThrow()) as TicketRef
}

/** Removes messages that were already received or sent here, because a phone's history contains them too. */
async function withoutProcessed(connectionId: number, all: Imported[], db: Kysely<Database>): Promise<Imported[]> {
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
