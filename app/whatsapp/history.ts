import { setTimeout as sleep } from 'node:timers/promises'
import { downloadAndProcessHistorySyncNotification, isJidGroup, jidNormalizedUser, proto, type WAMessage } from '@whiskeysockets/baileys'
import { sql } from 'kysely'
import type { LeasedConnection } from '../channels/channel.ts'
import { isTemporary, withoutFile } from '../channels/fetch-file.ts'
import type { AppContext } from '../context.ts'
import { fitting } from '../inbound/fitting.ts'
import {
  gather,
  type Imported,
  type Importing,
  importChat,
  importEnded,
  importOf,
  isNo,
  isWanted,
  leftToClose,
  openChats,
  running,
  withoutErased,
} from '../inbound/importing.ts'
import { assertCaughtUp } from '../projection/wait-for-projection.ts'
import type { Account, Kept } from './account.ts'
import { wordsOnly } from './baileys-logger.ts'
import { away } from './files.ts'
import type { Live } from './live-sockets.ts'
import { aboutOf, heardIn, type Known } from './parse-inbound.ts'

/** The phone tells of the days before in parts; so long after the last of them all is thought to be told (A-IMP-04). */
const gatheringMs = 35_000
const lookMs = 1000
const together = 4
/** What failed so often by its own fault will not be understood any more. */
const mostFailures = 5
const longestMs = 10_000
/** So often a file is waited for, which is an hour. */
const mostWaits = 360

type At = { line: LeasedConnection; account: Account; house: AppContext; live: Live; subjectOf: (group: string) => string }

/**
 * Imports what the phone tells of the time before it was linked, for as long as its socket stands: what it told lies in a table before it
 * is confirmed, is unpacked into conversations, and these are put into tickets one by one. Each step goes on where it stood.
 */
export async function imports(at: At, signal: AbortSignal): Promise<void> {
  const { line, account, house: ctx } = at
  const { historyBell } = account
  signal.addEventListener('abort', historyBell.ring, { once: true })
  while (!signal.aborted) {
    await unpack(at, signal)
    const now = ctx.db.selectFrom('connection').select('statusImportMessages').where('id', '=', line.connection.id)
    const status = (await now.executeTakeFirst())?.statusImportMessages ?? null
    if (status === null || status === leftToClose) await historyBell.rung()
    else if (status === running || ctx.clock.now() - Date.parse(status) >= gatheringMs) await bring(at, status, signal)
    else await sleep(lookMs, undefined, { signal }).catch(() => undefined)
  }
}

async function unpack({ line, account, house: ctx, subjectOf }: At, signal: AbortSignal): Promise<void> {
  const { id } = line.connection
  const known = { subjectOf, now: () => ctx.clock.now() }
  const leftOut = (error: unknown): null => {
    if (isTemporary(error) || away(error)) throw error
    ctx.logger.warn({ err: error, connectionId: id }, 'what a phone told of before cannot be read, and is left out')
    return null
  }
  for (let part = await account.nextHistory(), tries = 0; part && !signal.aborted; part = await account.nextHistory()) {
    const settings = await importOf(ctx.db, id)
    try {
      const unpacked = settings && (await unfolded(part.data, settings, known, wordsOnly(ctx.logger, id)).catch(leftOut))
      const done = part.id
      await ctx.db.transaction().execute(async (on) => {
        if (unpacked) {
          const messages = await withoutErased(line.connection, unpacked.imported, on)
          const ids = new Set(messages.map(({ externalId }) => externalId))
          await gather(on, line.connection, messages)
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
      ctx.logger.warn({ err: error, connectionId: id, failures }, 'what a phone told of before could not be kept')
      if (failures >= mostFailures) await ctx.db.deleteFrom('waHistory').where('id', '=', part.id).execute()
      else if (failures > part.failures) await ctx.db.updateTable('waHistory').set({ failures }).where('id', '=', part.id).execute()
      await pause(++tries, signal)
    }
  }
}

/** What was said in a part of a history that is wanted, and by whom, as it is said live. */
async function unfolded(data: Uint8Array, settings: Importing, { subjectOf, now }: Known, logger: ReturnType<typeof wordsOnly>) {
  const part = proto.Message.HistorySyncNotification.decode(data)
  if (!part.initialHistBootstrapInlinePayload?.length && !part.mediaKey?.length) throw new Error('it names no history')
  const { messages, contacts, chats, lidPnMappings } = await downloadAndProcessHistorySyncNotification(part, {}, logger)
  const names = new Map(contacts.map(({ id, name, notify }) => [id, notify ?? name ?? '']))
  const subjects = new Map(chats.flatMap(({ id, name }) => (id && name && isJidGroup(id) ? [[id, name] as const] : [])))
  const known = { subjectOf: (group: string) => subjects.get(group) ?? subjectOf(group), now }
  const other = new Map(lidPnMappings.flatMap(({ lid, pn }) => [[lid, pn] as const, [pn, lid] as const]))
  const imported: Imported[] = []
  const kept: Kept[] = []
  for (const message of messages) {
    const named = fromHistory(message as WAMessage, names, other)
    const about = named.message && aboutOf(named, known)
    const heard = about && heardIn(named.message!, about)
    if (heard?.type !== 'message' || heard.from.length === 0 || !isWanted(settings, heard)) continue
    imported.push(heard)
    const participant = named.key.participant ? jidNormalizedUser(named.key.participant) : null
    const chat = named.key.remoteJid!
    kept.push({
      id: heard.externalId,
      fromMe: heard.fromMe === true,
      chat,
      participant,
      message: proto.Message.encode(named.message!).finish(),
    })
  }
  return { imported, kept }
}

/** A history names nobody beside what they said, and everybody once. */
function fromHistory(message: WAMessage, names: Map<string, string>, other: Map<string, string>): WAMessage {
  const { key } = message
  const chat = key.remoteJid ?? ''
  const who = isJidGroup(chat) ? (key.participant ?? message.participant ?? '') : chat
  const also = other.get(who)
  const participant = isJidGroup(chat) && who ? { participant: who, ...(also && { participantAlt: also }) } : {}
  const pushName = message.pushName || names.get(who) || (also && names.get(also)) || ''
  return { ...message, pushName, key: { ...key, ...participant, ...(!isJidGroup(chat) && also && { remoteJidAlt: also }) } }
}

/** Puts what was gathered into tickets, some conversations at a time, and says how far it is. */
async function bring({ line, house: ctx, live }: At, status: string, signal: AbortSignal): Promise<void> {
  const { db, logger } = ctx
  const { id } = line.connection
  if (status !== running)
    await db.transaction().execute(async (on) => {
      const begun = { begunAt: ctx.clock.iso() }
      await on.updateTable('importChat').set(begun).where('connectionId', '=', id).where('begunAt', 'is', null).execute()
      const importAll = (await openChats(on, id).execute()).length
      await on.updateTable('connection').set({ statusImportMessages: running, importDone: 0, importAll }).where('id', '=', id).execute()
    })
  const chats = (await openChats(db, id).orderBy('id').execute()).values()
  let reportedAt = performance.now()
  async function tell(): Promise<void> {
    if (performance.now() - reportedAt < lookMs) return // whoever looks at the connection, and all who hear on it, are told of each change
    reportedAt = performance.now()
    await db
      .updateTable('connection')
      .set({ importDone: done(id) })
      .where('id', '=', id)
      .execute()
  }
  async function lane(): Promise<void> {
    for (const chat of chats) {
      if (signal.aborted) return
      await importChat(line, chat.id, (message) => withFile(line, live, message, ctx, signal), ctx, signal).catch(async (error) => {
        const failures = chat.failures + 1
        if (signal.aborted || isTemporary(error)) throw error
        if (!isNo(error) && failures < mostFailures) {
          await db.updateTable('importChat').set({ failures }).where('id', '=', chat.id).execute()
          throw error
        }
        logger[isNo(error) ? 'warn' : 'error'](
          { err: error, connectionId: id, chat: chat.id },
          'a conversation of before could not be imported',
        )
      })
      await db.transaction().execute(async (on) => {
        await on.deleteFrom('importMessage').where('chatId', '=', chat.id).where('payload', 'is not', null).execute()
        await on.updateTable('importChat').set({ doneAt: ctx.clock.iso(), conversation: '' }).where('id', '=', chat.id).execute()
      })
      await tell()
    }
  }
  try {
    const lanes = await Promise.allSettled(Array.from({ length: together }, lane))
    for (const one of lanes) if (one.status === 'rejected') throw one.reason
    if (signal.aborted) return
    await assertCaughtUp(ctx)
    if (await openChats(db, id).limit(1).executeTakeFirst()) return // of some a part came into another ticket
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error, connectionId: id }, 'an import was interrupted and goes on')
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
const pause = (times: number, signal: AbortSignal) =>
  sleep(Math.min(lookMs * times, longestMs), undefined, { signal }).catch(() => undefined)

/** With its file where that is still to be had; after months it mostly is not. What may pass is waited for. */
async function withFile(
  { connection: now }: LeasedConnection,
  live: Live,
  message: Imported,
  ctx: AppContext,
  signal: AbortSignal,
): Promise<Imported> {
  if (!message.apart) return fitting(now.companyId, message, ctx)
  for (let waits = 1; ; waits++)
    try {
      const stored = await orAborted(live.fetch(now, message.externalId), signal)
      return stored ? fitting(now.companyId, { ...message, ...stored }, ctx) : withoutFile(message)
    } catch (error) {
      if (signal.aborted) throw error
      if (!isTemporary(error) || waits >= mostWaits) {
        ctx.logger.warn({ err: error, connectionId: now.id }, 'a file of before was not to be had')
        return withoutFile(message)
      }
      await pause(waits, signal)
    }
}

/** What hangs holds up nobody who leaves. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', leave))
}
