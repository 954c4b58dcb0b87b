import { downloadAndProcessHistorySyncNotification, isJidGroup, jidNormalizedUser, proto, type WAMessage } from '@whiskeysockets/baileys'
import { sql } from 'kysely'
import type { LeasedConnection } from '../channels/channel.ts'
import { isTemporary, withoutFile } from '../channels/fetch-file.ts'
import { abortableSleep } from '../concurrency/abortable-sleep.ts'
import { forEachConcurrently } from '../concurrency/for-each-concurrently.ts'
import { storePhonePeople } from '../contact-import/phone-book.ts'
import type { AppContext } from '../context.ts'
import { erasedAt } from '../inbound/erased-identities.ts'
import { fitting } from '../inbound/fitting.ts'
import {
  type Imported,
  type Importing,
  importChat,
  importEnded,
  importOf,
  isRefusal,
  isWanted,
  leftToClose,
  openChats,
  running,
  storeImported,
  withoutErased,
} from '../inbound/importing.ts'
import { assertCaughtUp } from '../projection/wait-for-projection.ts'
import type { Account } from './account.ts'
import type { StoredMessage } from './account-journal.ts'
import { wordsOnly } from './baileys-logger.ts'
import { away } from './files.ts'
import type { Live } from './live-sockets.ts'
import { aboutOf, idsOf, type ParsingContext, parseMessage } from './parse-inbound.ts'

/** The phone sends its history in parts. The history counts as complete this long after the last part (A-IMP-04). */
const gatheringMs = 35_000
const lookMs = 1000
const parallelChats = 4
/** A part or conversation is skipped after this many failures of its own. */
const mostFailures = 5
const longestMs = 10_000
/** Retries of a file, about an hour. */
const mostWaits = 360

type At = { leased: LeasedConnection; account: Account; ctx: AppContext; live: Live; subjectOf: (group: string) => string }

/**
 * Imports the phone's history from before it was linked, while its socket is open. Parts are stored before they are confirmed, unpacked into
 * conversations, and these are imported into tickets. Each step continues after an interruption.
 */
export async function imports(at: At, signal: AbortSignal): Promise<void> {
  const { leased, account, ctx } = at
  const { historyStored } = account
  signal.addEventListener('abort', historyStored.set, { once: true })
  while (!signal.aborted) {
    await unpack(at, signal)
    const query = ctx.db.selectFrom('connection').select('statusImportMessages').where('id', '=', leased.connection.id)
    const status = (await query.executeTakeFirst())?.statusImportMessages ?? null
    if (status === null || status === leftToClose) await historyStored.wait()
    else if (status === running || ctx.clock.now() - Date.parse(status) >= gatheringMs) await importChats(at, status, signal)
    else await abortableSleep(lookMs, signal)
  }
}

async function unpack({ leased, account, ctx, subjectOf }: At, signal: AbortSignal): Promise<void> {
  const { id } = leased.connection
  const known = { subjectOf, now: () => ctx.clock.now() }
  const logSkipped = (error: unknown): null => {
    if (isTemporary(error) || away(error)) throw error
    ctx.logger.warn({ err: error, connectionId: id }, 'History part cannot be read; skipped')
    return null
  }
  for (let part = await account.nextHistory(), tries = 0; part && !signal.aborted; part = await account.nextHistory()) {
    const settings = await importOf(ctx.db, id)
    try {
      const unpacked = await readPart(part.data, settings, known, wordsOnly(ctx.logger, id)).catch(logSkipped)
      const done = part.id
      await ctx.db.transaction().execute(async (on) => {
        if (unpacked) {
          const asPhones = unpacked.people.map(({ number }) => ({ kind: 'phone' as const, id: number }))
          const times = await erasedAt(on, ctx.signingKey, leased.connection.companyId, asPhones)
          await storePhonePeople(
            on,
            leased.connection,
            unpacked.people.filter((_, i) => times[i] === null),
          )
          const messages = await withoutErased(leased.connection, unpacked.imported, on, ctx.signingKey)
          const ids = new Set(messages.map(({ externalId }) => externalId))
          await storeImported(on, leased.connection, messages)
          await account.keepAll(
            on,
            unpacked.kept.filter((one) => ids.has(one.id)),
          )
          if (messages.length > 0)
            await on.updateTable('connection').set({ statusImportMessages: ctx.clock.iso() }).where('id', '=', id).execute()
        }
        await on.deleteFrom('waHistory').where('id', '=', done).execute()
      })
      tries = 0
    } catch (error) {
      if (signal.aborted) return
      const failures = part.failures + (isTemporary(error) || away(error) ? 0 : 1)
      ctx.logger.warn({ err: error, connectionId: id, failures }, 'History part could not be stored')
      if (failures >= mostFailures) await ctx.db.deleteFrom('waHistory').where('id', '=', part.id).execute()
      else if (failures > part.failures) await ctx.db.updateTable('waHistory').set({ failures }).where('id', '=', part.id).execute()
      await pause(++tries, signal)
    }
  }
}

/** Reads a part of the history. Returns the people of its chats, and the messages that the import options include as live messages. */
async function readPart(
  data: Uint8Array,
  settings: Importing | null,
  { subjectOf, now }: ParsingContext,
  logger: ReturnType<typeof wordsOnly>,
) {
  const part = proto.Message.HistorySyncNotification.decode(data)
  if (!part.initialHistBootstrapInlinePayload?.length && !part.mediaKey?.length) throw new Error('History notification contains no history')
  const { messages, contacts, chats, lidPnMappings } = await downloadAndProcessHistorySyncNotification(part, {}, logger)
  const names = new Map(contacts.map(({ id, name, notify }) => [id, notify ?? name ?? '']))
  const subjects = new Map(chats.flatMap(({ id, name }) => (id && name && isJidGroup(id) ? [[id, name] as const] : [])))
  const known = { subjectOf: (group: string) => subjects.get(group) ?? subjectOf(group), now }
  const other = new Map(lidPnMappings.flatMap(({ lid, pn }) => [[lid, pn] as const, [pn, lid] as const]))
  const imported: Imported[] = []
  const kept: StoredMessage[] = []
  for (const message of settings ? messages : []) {
    const named = fromHistory(message as WAMessage, names, other)
    const about = named.message && aboutOf(named, known)
    const event = about && parseMessage(named.message!, about)
    if (event?.type !== 'message' || event.from.length === 0 || !isWanted(settings!, event)) continue
    imported.push(event)
    const participant = named.key.participant ? jidNormalizedUser(named.key.participant) : null
    const chat = named.key.remoteJid!
    kept.push({
      id: event.externalId,
      fromMe: event.fromMe === true,
      chat,
      participant,
      message: proto.Message.encode(named.message!).finish(),
    })
  }
  const people = chats.flatMap(({ id }) => {
    const [jid, also] = [id ?? '', other.get(id ?? '')]
    const number = idsOf([jid, also]).find(({ kind }) => kind === 'phone')?.id
    return number ? [{ number, name: names.get(jid) || (also && names.get(also)) || '', source: 'inChats' as const }] : []
  })
  return { imported, kept, people }
}

/** Adds the author's name and second address to a message. A history lists people once, apart from their messages. */
function fromHistory(message: WAMessage, names: Map<string, string>, other: Map<string, string>): WAMessage {
  const { key } = message
  const chat = key.remoteJid ?? ''
  const who = isJidGroup(chat) ? (key.participant ?? message.participant ?? '') : chat
  const also = other.get(who)
  const participant = isJidGroup(chat) && who ? { participant: who, ...(also && { participantAlt: also }) } : {}
  const pushName = message.pushName || names.get(who) || (also && names.get(also)) || ''
  return { ...message, pushName, key: { ...key, ...participant, ...(!isJidGroup(chat) && also && { remoteJidAlt: also }) } }
}

/** Imports the stored conversations into tickets, some in parallel, and reports the progress. */
async function importChats({ leased, ctx, live }: At, status: string, signal: AbortSignal): Promise<void> {
  const { db, logger } = ctx
  const { id } = leased.connection
  if (status !== running)
    await db.transaction().execute(async (on) => {
      const begun = { begunAt: ctx.clock.iso() }
      await on.updateTable('importChat').set(begun).where('connectionId', '=', id).where('begunAt', 'is', null).execute()
      const importAll = (await openChats(on, id).execute()).length
      await on.updateTable('connection').set({ statusImportMessages: running, importDone: 0, importAll }).where('id', '=', id).execute()
    })
  const chats = await openChats(db, id).orderBy('id').execute()
  let reportedAt = performance.now()
  async function reportProgress(): Promise<void> {
    if (performance.now() - reportedAt < lookMs) return // each change is sent to every open screen and worker
    reportedAt = performance.now()
    await db
      .updateTable('connection')
      .set({ importDone: done(id) })
      .where('id', '=', id)
      .execute()
  }
  async function importOne(chat: (typeof chats)[number]): Promise<void> {
    if (signal.aborted) return
    await importChat(leased, chat.id, (message) => withFile(leased, live, message, ctx, signal), ctx, signal).catch(async (error) => {
      const failures = chat.failures + 1
      if (signal.aborted || isTemporary(error)) throw error
      if (!isRefusal(error) && failures < mostFailures) {
        await db.updateTable('importChat').set({ failures }).where('id', '=', chat.id).execute()
        throw error
      }
      logger[isRefusal(error) ? 'warn' : 'error']({ err: error, connectionId: id, chat: chat.id }, 'Conversation could not be imported')
    })
    await db.transaction().execute(async (on) => {
      await on.deleteFrom('importMessage').where('chatId', '=', chat.id).where('payload', 'is not', null).execute()
      await on.updateTable('importChat').set({ doneAt: ctx.clock.iso(), conversation: '' }).where('id', '=', chat.id).execute()
    })
    await reportProgress()
  }
  try {
    await forEachConcurrently(chats, parallelChats, importOne)
    if (signal.aborted) return
    await assertCaughtUp(ctx)
    if (await openChats(db, id).limit(1).executeTakeFirst()) return // a part of a conversation goes into another ticket
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error, connectionId: id }, 'Import interrupted; continuing')
    await pause(1, signal)
    return
  }
  await db.transaction().execute(async (on) => {
    await on
      .updateTable('connection')
      .set({ importDone: done(id) })
      .where('id', '=', id)
      .execute()
    await importEnded(on, id)
  })
}

const done = (connectionId: number) =>
  sql<number>`import_all - (select count(*) from import_chat
    where connection_id = ${connectionId} and begun_at is not null and done_at is null)::int`
const pause = (times: number, signal: AbortSignal) => abortableSleep(Math.min(lookMs * times, longestMs), signal)

/** Downloads the file of a message if it is still available. Temporary errors are retried. */
async function withFile(
  { connection }: LeasedConnection,
  live: Live,
  message: Imported,
  ctx: AppContext,
  signal: AbortSignal,
): Promise<Imported> {
  if (!message.apart) return fitting(connection.companyId, message, ctx)
  for (let waits = 1; ; waits++)
    try {
      const stored = await orAborted(live.fetch(connection, message.externalId), signal)
      return stored ? fitting(connection.companyId, { ...message, ...stored }, ctx) : withoutFile(message)
    } catch (error) {
      if (signal.aborted) throw error
      if (!isTemporary(error) || waits >= mostWaits) {
        ctx.logger.warn({ err: error, connectionId: connection.id }, 'Media download failed; message imported without the file')
        return withoutFile(message)
      }
      await pause(waits, signal)
    }
}

/** Rejects when `signal` aborts, so that a hanging download does not delay the end. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave))
}
