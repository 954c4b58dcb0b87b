import { setTimeout as sleep } from 'node:timers/promises'
import makeWASocket, { Browsers, type GroupMetadata, jidDecode, proto, type WASocket } from '@whiskeysockets/baileys'
import type { ConnectionState, LeasedConnection } from '../channels/channel.ts'
import { customerTypes } from '../channels/typing.ts'
import { recordHeartbeat } from '../connection/outage.ts'
import { written } from '../connection/pairing.ts'
import type { AppContext } from '../context.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { groupsAre } from '../inbound/contact-names.ts'
import { resolveContact } from '../inbound/contact-resolver.ts'
import type { Account } from './account.ts'
import { wordsOnly } from './baileys-logger.ts'
import { imports } from './history.ts'
import { inbox } from './inbox.ts'
import type { Live } from './live-sockets.ts'
import { cacheOf, type Memory } from './memory.ts'
import { idsOf } from './parse-inbound.ts'
import { calling } from './retry-cache.ts'
import { sender } from './sender.ts'
import { versionOf } from './version.ts'

export type Socket = {
  live: Live
  /** The code it ended with. */
  ended: Promise<number>
  end: () => Promise<void>
  /** The device leaves the account, so that the phone shows it no longer. */
  leave: () => Promise<void>
}
/** So long the client waits for a phone: a minute for its first code, and a third of one for each of the five others. */
const typedMs = 160_000
/** Less than the client lets pass between its questions, so that each answer to them counts. */
const roundTripMs = 25_000
/** `number`: of the phone that a code is to be typed into, where none is to be read. */
export type At = { line: LeasedConnection; account: Account; memory: Memory; house: AppContext; number: string | null; importing: boolean }
/** So long WhatsApp may take to let us in, or to show a code, once it answers at all. */
export const loginMs = 60_000
/** An import that broke begins again. */
const againMs = 5000
type Tell = (standing: ConnectionState) => Promise<void>

/** One socket to WhatsApp, from its beginning to its end; what comes over it is taken down, how it stands is told. */
export function openSocket({ line, account, memory, house: ctx, number, importing }: At, tell: Tell): Socket {
  const { config, logger } = ctx
  const connectionId = line.connection.id
  const { promise: ended, resolve } = Promise.withResolvers<number>()
  const warn = (error: unknown, what: string) => logger.warn({ err: error, connectionId }, what)
  const failed = (error: unknown) => {
    if (!isTransient(error)) return logger.error({ err: error, connectionId }, 'what WhatsApp told was not understood, and is left')
    warn(error, 'what WhatsApp told could not be taken down; the socket begins again')
    void sock.end(undefined)
  }
  const subjectOf = (group: string) => memory.groups.get(group)?.subject ?? ''
  const called = calling({ now: line.connection, account, memory, db: ctx.db })
  const { makeSignalRepository, attach } = inbox(
    account,
    line,
    { subjectOf, ...called, logger, now: () => ctx.clock.now(), retries: memory.retries },
    failed,
  )
  const desktop = desktopOf(account, importing && number === null)

  const sock: WASocket = makeWASocket({
    auth: { creds: account.creds(), keys: account.keys(failed) },
    logger: wordsOnly(logger, connectionId),
    waWebSocketUrl: config.whatsappUrl!,
    version: versionOf(ctx),
    browser: desktop ? Browsers.macOS('Desktop') : number === null ? ['Guichê', 'Chrome', '1.0'] : Browsers.ubuntu('Chrome'), // a code to be typed is made for known browsers alone
    markOnlineOnConnect: false, // or the phone of the number would no longer ring
    syncFullHistory: desktop || importing,
    emitOwnEvents: false,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 200 },
    msgRetryCounterCache: cacheOf(memory.retries),
    placeholderResendCache: cacheOf(memory.resends),
    userDevicesCache: cacheOf(memory.devices),
    callOfferCache: cacheOf(memory.calls),
    async cachedGroupMetadata(jid) {
      const known = memory.groups.get(jid)
      if (known) return known
      await groups([await sock.groupMetadata(jid)]) // or each message to it would ask for it
      return memory.groups.get(jid)
    },
    async getMessage({ id }) {
      if (!id) return undefined
      const kept = await account.kept(id).catch((error: unknown) => {
        if (isTransient(error)) failed(error) // before the client confirms that it was asked: who cannot read a message asks the next socket again
        throw error
      })
      return kept ? proto.Message.decode(kept.message) : undefined
    },
    makeSignalRepository,
  })
  const live = sender(sock, account, memory, ctx)
  attach(sock, (callId, from) => memory.callers.set(callId, from))
  called.learn(sock.ev, warn)
  let reportedAt = Number.NEGATIVE_INFINITY
  /** Since when WhatsApp owes us the next step; null: it is a person’s turn, or all is done. */
  let owedSince: number | null = ctx.clock.now()
  sock.ws.on('frame', () => {
    if (owedSince !== null && ctx.clock.now() - owedSince > loginMs) {
      owedSince = null
      logger.warn({ connectionId }, 'WhatsApp answers and does not let us in; the socket begins again')
      void sock.end(undefined)
    }
    if (ctx.clock.now() - reportedAt < roundTripMs) return
    reportedAt = ctx.clock.now()
    void recordHeartbeat(line, ctx.db).catch((error) => warn(error, 'that WhatsApp answers could not be told'))
  })
  sock.ws.on('CB:status', ({ attrs: { id, from } }) => {
    void sock.sendNode({ tag: 'ack', attrs: { class: 'status', id, to: from } }).catch(() => undefined) // unanswered, it ends the stream
  })

  let imported: Promise<void> | undefined
  const over = new AbortController()
  void ended.then(() => over.abort())
  sock.ev.on('lid-mapping.update', ({ lid, pn }) => {
    const one = { ids: idsOf([lid, pn]), name: '', group: false }
    void resolveContact(line.connection, one, false, ctx.db).catch((error) => warn(error, 'whose number an id is was not kept'))
  })
  sock.ev.on('presence.update', ({ id, presences }) => {
    const writes = Object.values(presences).some(({ lastKnownPresence: now }) => now === 'composing' || now === 'recording')
    if (writes) void customerTypes(ctx.db, line.connection, idsOf([id])).catch((error) => warn(error, 'that somebody writes was not told'))
  })
  sock.ev.on('creds.update', () => void account.save().catch((error) => warn(error, 'the credentials of an account could not be kept')))
  sock.ev.on('connection.update', ({ qr, isNewLogin, connection, lastDisconnect, reachoutTimeLock: lock }) => {
    if (lock)
      void locked(lock.isActive ? (lock.timeEnforcementEnds ?? null) : null).catch((error) =>
        warn(error, 'that WhatsApp lets a number begin no conversations was not kept'),
      )
    if (qr || connection === 'open') owedSince = null
    if (isNewLogin) owedSince = ctx.clock.now()
    if (qr && number === null) void tell({ status: 'qrcode', qrcode: account.sealedCode(qr) })
    if (qr && number !== null && !account.creds().pairingCode)
      void typed(number).catch((error) => warn(error, 'a code to be typed was not to be had'))
    if (isNewLogin) void tell({ status: 'PAIRING' })
    if (connection === 'open') {
      void tell({ status: 'CONNECTED', number: account.number() })
      void sock.groupFetchAllParticipating().then(
        (all) => groups(Object.values(all)),
        (error) => warn(error, 'the groups of an account were not told'),
      )
      imported = importsUntil(over.signal)
    }
    if (connection === 'close')
      resolve((lastDisconnect?.error as { output?: { statusCode?: number } } | undefined)?.output?.statusCode ?? 428)
  })
  /** People who never wrote cannot be written to until then; each try would make it longer. */
  async function locked(until: Date | null): Promise<void> {
    const noNewChatsUntil = until?.toISOString() ?? null
    if (until) logger.warn({ connectionId, until: noNewChatsUntil }, 'WhatsApp lets a number begin no conversations')
    await ctx.db.updateTable('connection').set({ noNewChatsUntil }).where('id', '=', connectionId).execute()
  }
  async function typed(number: string): Promise<void> {
    const code = await sock.requestPairingCode(number)
    const until = new Date(ctx.clock.now() + typedMs).toISOString()
    void tell({ status: 'qrcode', qrcode: account.sealedCode(written({ number, code, until })) })
  }
  async function importsUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted)
      await imports({ line, account, house: ctx, live, subjectOf }, signal).catch(async (error) => {
        if (!signal.aborted) warn(error, 'an import was interrupted and goes on')
        await sleep(againMs, undefined, { signal }).catch(() => undefined)
      })
  }
  /** `renamed`: just now. */
  async function groups(list: GroupMetadata[], renamed = false): Promise<void> {
    for (const one of list) memory.groups.set(one.id, one)
    const since = (at = 0) => (renamed ? ctx.clock.now() / 1000 : at)
    const subjects = list.map(({ id, subject, subjectTime }) => ({ id: jidDecode(id)!.user, subject, since: since(subjectTime) }))
    await groupsAre(line.connection, subjects, ctx).catch((error) => warn(error, 'what groups are called could not be kept'))
  }
  const anew = (jid: string | undefined, renamed = false) => {
    if (jid)
      void sock.groupMetadata(jid).then(
        (one) => groups([one], renamed),
        () => memory.groups.delete(jid),
      )
  }
  sock.ev.on('groups.upsert', (list) => void groups(list))
  sock.ev.on('groups.update', (list) => {
    for (const { id, subject } of list) anew(id, subject !== undefined)
  })
  sock.ev.on('group-participants.update', ({ id }) => anew(id))

  async function end(): Promise<void> {
    await sock.end(undefined)
    over.abort()
    await imported // the next socket goes on where this one stopped
  }
  return {
    live,
    ended,
    end,
    async leave() {
      if (account.linked()) await sock.logout().catch(() => undefined)
      await end()
    },
  }
}

/**
 * Whether it is to WhatsApp a desktop's application, which a phone tells all of before, and a browser only the last months. That is settled
 * when it is linked, and said at each login.
 */
function desktopOf(account: Account, wanted: boolean): boolean {
  const creds = account.creds()
  if (!account.linked()) creds.additionalData = { desktop: wanted }
  return (creds.additionalData as { desktop?: boolean } | undefined)?.desktop === true
}
