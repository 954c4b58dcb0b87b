import makeWASocket, { Browsers, type GroupMetadata, jidDecode, proto, type WASocket } from '@whiskeysockets/baileys'
import type { ConnectionState, LeasedConnection } from '../channels/channel.ts'
import { customerTypes } from '../channels/typing.ts'
import { abortableSleep } from '../concurrency/abortable-sleep.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { recordHeartbeat } from '../connection/outage.ts'
import { serializePairing } from '../connection/pairing.ts'
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
import type { SocketEnd } from './reconnect.ts'
import { calling } from './retry-cache.ts'
import { sender } from './sender.ts'
import { versionOf } from './version.ts'

export type Socket = {
  live: Live
  ended: Promise<SocketEnd>
  end: () => Promise<void>
  /** Removes the device from the account, so that the phone no longer lists it. */
  leave: () => Promise<void>
}
/** How long the client waits for a phone: 60 s for the first code and 20 s for each of five more. */
const codeLifetimeMs = 160_000
/** The client's error text when the last code expired. Its status code is also that of a lost connection. */
const codesExpired = 'QR refs attempts ended'
/** Shorter than the client's ping interval, so that each answer counts. */
const roundTripMs = 25_000
/** `number`: the phone for a pairing code; null for a QR code. */
export type At = { leased: LeasedConnection; account: Account; memory: Memory; ctx: AppContext; number: string | null; importing: boolean }
/** How long WhatsApp may take for the login or a code after its first answer. */
export const loginMs = 60_000
/** Pause before a failed import restarts. */
const againMs = 5000
type OnState = (state: ConnectionState) => Promise<void>

/** Opens a socket to WhatsApp. Inbound events go to the journal, and `onState` receives the state of the connection. */
export function openSocket({ leased, account, memory, ctx, number, importing }: At, onState: OnState): Socket {
  const { config, logger } = ctx
  const connectionId = leased.connection.id
  const { promise: ended, resolve } = Promise.withResolvers<SocketEnd>()
  const warn = (error: unknown, message: string) => logger.warn({ err: error, connectionId }, message)
  const failed = (error: unknown) => {
    if (!isTransient(error)) return logger.error({ err: error, connectionId }, 'WhatsApp event could not be parsed; dropped')
    warn(error, 'WhatsApp event could not be stored; socket restarts')
    void sock.end(undefined)
  }
  const subjectOf = (group: string) => memory.groups.get(group)?.subject ?? ''
  const callerNames = calling({ now: leased.connection, account, memory, store: ctx })
  const { makeSignalRepository, attach } = inbox(
    account,
    leased,
    { subjectOf, ...callerNames, logger, now: () => ctx.clock.now(), retries: memory.retries },
    failed,
  )
  const desktop = isDesktop(account, importing && number === null)

  const sock: WASocket = makeWASocket({
    auth: { creds: account.creds(), keys: account.keys(failed) },
    logger: wordsOnly(logger, connectionId),
    waWebSocketUrl: config.whatsappUrl!,
    version: versionOf(ctx),
    browser: desktop ? Browsers.macOS('Desktop') : number === null ? ['Guichê', 'Chrome', '1.0'] : Browsers.ubuntu('Chrome'), // pairing codes exist only for known browsers
    markOnlineOnConnect: false, // otherwise the phone no longer notifies its user
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
      await storeGroups([await sock.groupMetadata(jid)]) // otherwise each message to the group requests them again
      return memory.groups.get(jid)
    },
    async getMessage({ id }) {
      if (!id) return undefined
      const kept = await account.kept(id).catch((error: unknown) => {
        if (isTransient(error)) failed(error) // before the client confirms the request, so that the phone repeats it over the next socket
        throw error
      })
      return kept ? proto.Message.decode(kept.message) : undefined
    },
    makeSignalRepository,
  })
  const live = sender(sock, account, memory, ctx)
  attach(sock, (callId, from) => memory.callers.set(callId, from))
  callerNames.learn(sock.ev, warn)
  let reportedAt = Number.NEGATIVE_INFINITY
  /** Since when we wait for WhatsApp; null: a person has to act, or the login is complete. */
  let waitingSince: number | null = ctx.clock.now()
  sock.ws.on('frame', () => {
    if (waitingSince !== null && ctx.clock.now() - waitingSince > loginMs) {
      waitingSince = null
      logger.warn({ connectionId }, 'WhatsApp login timed out; socket restarts')
      void sock.end(undefined)
    }
    if (ctx.clock.now() - reportedAt < roundTripMs) return
    reportedAt = ctx.clock.now()
    void recordHeartbeat(leased, ctx.db).catch((error) => warn(error, 'Heartbeat could not be recorded'))
  })
  sock.ws.on('CB:status', ({ attrs: { id, from } }) => {
    void ignoreErrors(sock.sendNode({ tag: 'ack', attrs: { class: 'status', id, to: from } }), 'WhatsApp ends the stream without this ack')
  })

  let imported: Promise<void> | undefined
  const over = new AbortController()
  void ended.then(() => over.abort())
  sock.ev.on('lid-mapping.update', ({ lid, pn }) => {
    const one = { ids: idsOf([lid, pn]), name: '', group: false }
    void resolveContact(leased.connection, one, false, ctx).catch((error) => warn(error, 'Number of an id could not be stored'))
  })
  sock.ev.on('presence.update', ({ id, presences }) => {
    const writes = Object.values(presences).some(({ lastKnownPresence: now }) => now === 'composing' || now === 'recording')
    if (writes) void customerTypes(ctx, leased.connection, idsOf([id])).catch((error) => warn(error, 'Typing notification failed'))
  })
  sock.ev.on('creds.update', () => void account.save().catch((error) => warn(error, 'Account credentials could not be saved')))
  sock.ev.on('connection.update', ({ qr, isNewLogin, connection, lastDisconnect, reachoutTimeLock: lock }) => {
    if (lock)
      void setChatLock(lock.isActive ? (lock.timeEnforcementEnds ?? null) : null).catch((error) =>
        warn(error, 'New-chat restriction could not be stored'),
      )
    if (qr || connection === 'open') waitingSince = null
    if (isNewLogin) waitingSince = ctx.clock.now()
    if (qr && number === null) void onState({ status: 'qrcode', qrcode: account.sealedCode(qr) })
    if (qr && number !== null && !account.creds().pairingCode)
      void requestCode(number).catch((error) => warn(error, 'Pairing code request failed'))
    if (isNewLogin) void onState({ status: 'PAIRING' })
    if (connection === 'open') {
      void onState({ status: 'CONNECTED', number: account.number() })
      void sock.groupFetchAllParticipating().then(
        (all) => storeGroups(Object.values(all)),
        (error) => warn(error, 'Group list could not be loaded'),
      )
      imported = importsUntil(over.signal)
    }
    if (connection === 'close') resolve({ ...endOf(lastDisconnect?.error), reached: Number.isFinite(reportedAt) })
  })
  /** Until then the account cannot write to people who never wrote. Each attempt would extend the restriction. */
  async function setChatLock(until: Date | null): Promise<void> {
    const noNewChatsUntil = until?.toISOString() ?? null
    if (until) logger.warn({ connectionId, until: noNewChatsUntil }, 'WhatsApp forbids the number to start new chats')
    await ctx.db.updateTable('connection').set({ noNewChatsUntil }).where('id', '=', connectionId).execute()
  }
  async function requestCode(number: string): Promise<void> {
    const code = await sock.requestPairingCode(number)
    const until = new Date(ctx.clock.now() + codeLifetimeMs).toISOString()
    void onState({ status: 'qrcode', qrcode: account.sealedCode(serializePairing({ number, code, until })) })
  }
  async function importsUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted)
      await imports({ leased, account, ctx, live, subjectOf }, signal).catch(async (error) => {
        if (!signal.aborted) warn(error, 'Import interrupted; continuing')
        await abortableSleep(againMs, signal)
      })
  }
  /** `renamed`: the subject changed just now. */
  async function storeGroups(list: GroupMetadata[], renamed = false): Promise<void> {
    for (const one of list) memory.groups.set(one.id, one)
    const since = (at = 0) => (renamed ? ctx.clock.now() / 1000 : at)
    const subjects = list.map(({ id, subject, subjectTime }) => ({ id: jidDecode(id)!.user, subject, since: since(subjectTime) }))
    await groupsAre(leased.connection, subjects, ctx).catch((error) => warn(error, 'Group names could not be stored'))
  }
  const reloadGroup = (jid: string | undefined, renamed = false) => {
    if (jid)
      void sock.groupMetadata(jid).then(
        (one) => storeGroups([one], renamed),
        () => memory.groups.delete(jid),
      )
  }
  sock.ev.on('groups.upsert', (list) => void storeGroups(list))
  sock.ev.on('groups.update', (list) => {
    for (const { id, subject } of list) reloadGroup(id, subject !== undefined)
  })
  sock.ev.on('group-participants.update', ({ id }) => reloadGroup(id))

  async function end(): Promise<void> {
    await sock.end(undefined)
    over.abort()
    await imported // the next socket continues the import
  }
  return {
    live,
    ended,
    end,
    async leave() {
      if (account.linked()) await ignoreErrors(sock.logout(), 'the user can remove the device on the phone')
      await end()
    },
  }
}

function endOf(error: (Error & { output?: { statusCode?: number } }) | undefined): Pick<SocketEnd, 'code' | 'codeExpired'> {
  return { code: error?.output?.statusCode ?? 428, codeExpired: error?.message === codesExpired }
}

/**
 * Whether the device presents itself as the desktop app, which gets the phone's whole history; a browser gets only the last months. The choice
 * is made when the phone is linked and is repeated at each login.
 */
function isDesktop(account: Account, wanted: boolean): boolean {
  const creds = account.creds()
  if (!account.linked()) creds.additionalData = { desktop: wanted }
  return (creds.additionalData as { desktop?: boolean } | undefined)?.desktop === true
}
