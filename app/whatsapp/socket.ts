import makeWASocket, { type BaileysEventMap, type WASocket } from '@whiskeysockets/baileys'
import type { ConnectionState, LeasedConnection } from '#app/channels/channel.ts'
import { customerTypes } from '#app/channels/typing.ts'
import { abortableSleep } from '#app/concurrency/abortable-sleep.ts'
import { ignoreErrors } from '#app/concurrency/ignore-errors.ts'
import { repeatUntilAborted } from '#app/concurrency/retry.ts'
import { serializePairing } from '#app/connection/pairing.ts'
import { storePhonePeople } from '#app/contact-import/phone-book.ts'
import type { AppContext } from '#app/context.ts'
import { isTransient } from '#app/event-store/transient-errors.ts'
import { resolveContact } from '#app/inbound/contact-resolver.ts'
import { createGroupCache } from './group-cache.ts'
import { imports } from './history.ts'
import { createInbox } from './inbox.ts'
import type { Live } from './live-sockets.ts'
import { watchLogin } from './login-watch.ts'
import { idsOf } from './parse-inbound.ts'
import type { SocketEnd } from './reconnect.ts'
import { calling } from './retry-cache.ts'
import { createSender } from './sender.ts'
import { type SocketOptions, socketConfig } from './socket-config.ts'

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
/** Pause before a failed import restarts. */
const againMs = 5000
type OnState = (state: ConnectionState) => Promise<void>
type Warn = (error: unknown, message: string) => void

/** Opens a socket to WhatsApp. Inbound events go to the journal, and `onState` receives the state of the connection. */
export function openSocket(of: SocketOptions, onState: OnState): Socket {
  const { leased, account, memory, ctx } = of
  const connectionId = leased.connection.id
  const { promise: ended, resolve } = Promise.withResolvers<SocketEnd>()
  const warn: Warn = (error, message) => ctx.logger.warn({ err: error, connectionId }, message)
  const failed = (error: unknown) => {
    if (!isTransient(error)) return ctx.logger.error({ err: error, connectionId }, 'WhatsApp event could not be parsed; dropped')
    warn(error, 'WhatsApp event could not be stored; socket restarts')
    void sock.end(undefined)
  }
  const groups = createGroupCache({ connection: leased.connection, memory, ctx, warn })
  const { subjectOf } = groups
  const callerNames = calling({ now: leased.connection, account, memory, store: ctx })
  const sources = { subjectOf, ...callerNames, logger: ctx.logger, now: () => ctx.clock.now(), retries: memory.retries }
  const { makeSignalRepository, attach } = createInbox(account, leased, sources, failed)

  const sock: WASocket = makeWASocket({ ...socketConfig({ ...of, groups, socket: () => sock, failed }), makeSignalRepository })
  const live = createSender(sock, account, memory, ctx)
  attach(sock, (callId, from) => memory.callers.set(callId, from))
  callerNames.learn(sock.ev, warn)
  const login = watchLogin(sock, { leased, ctx, warn })
  acknowledgeStatuses(sock)
  recordContactUpdates(sock, leased, ctx, warn)
  recordPhoneBook(sock, leased, ctx, warn)
  sock.ev.on('creds.update', () => void account.save().catch((error) => warn(error, 'Account credentials could not be saved')))

  let imported: Promise<void> | undefined
  const over = new AbortController()
  void ended.then(() => over.abort())
  const reportState = createStateReport(sock, of, onState, warn)
  sock.ev.on('connection.update', (update) => {
    const { qr, isNewLogin, connection, lastDisconnect, reachoutTimeLock: lock } = update
    if (lock)
      void setChatLock(leased, lock.isActive ? (lock.timeEnforcementEnds ?? null) : null, ctx).catch((error) =>
        warn(error, 'New-chat restriction could not be stored'),
      )
    if (qr || connection === 'open') login.stop()
    if (isNewLogin) login.start()
    reportState(update)
    if (connection === 'open') {
      groups.loadAll(sock)
      imported = importUntil(over.signal)
    }
    if (connection === 'close') resolve({ ...endOf(lastDisconnect?.error), reached: login.hasAnswered() })
  })
  const importUntil = (signal: AbortSignal): Promise<void> =>
    repeatUntilAborted(
      () => imports({ leased, account, ctx, live, subjectOf }, signal),
      { pause: () => abortableSleep(againMs, signal) },
      signal,
      (error) => signal.aborted || warn(error, 'Import interrupted; continuing'),
    )
  groups.follow(sock)

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

function acknowledgeStatuses(sock: WASocket): void {
  sock.ws.on('CB:status', ({ attrs: { id, from } }) => {
    void ignoreErrors(sock.sendNode({ tag: 'ack', attrs: { class: 'status', id, to: from } }), 'WhatsApp ends the stream without this ack')
  })
}

/** Stores the numbers of ids, and shows when a customer types. */
function recordContactUpdates(sock: WASocket, { connection }: LeasedConnection, ctx: AppContext, warn: Warn): void {
  sock.ev.on('lid-mapping.update', ({ lid, pn }) => {
    const one = { ids: idsOf([lid, pn]), name: '', group: false }
    void resolveContact(connection, one, false, ctx).catch((error) => warn(error, 'Number of an id could not be stored'))
  })
  sock.ev.on('presence.update', ({ id, presences }) => {
    const writes = Object.values(presences).some(({ lastKnownPresence: now }) => now === 'composing' || now === 'recording')
    if (writes) void customerTypes(ctx, connection, idsOf([id])).catch((error) => warn(error, 'Typing notification failed'))
  })
}

/** Stores the phone's address book, which it sends when it is linked and at each change (A-IMP-01). */
function recordPhoneBook(sock: WASocket, { connection }: LeasedConnection, ctx: AppContext, warn: Warn): void {
  sock.ev.on('contacts.upsert', (list) => {
    const people = list.flatMap(({ id, lid, phoneNumber, name }) => {
      const number = idsOf([id, lid, phoneNumber]).find(({ kind }) => kind === 'phone')?.id
      return number && name ? [{ number, name, source: 'inBook' as const }] : []
    })
    void storePhonePeople(ctx.db, connection, people).catch((error) => warn(error, 'Address book could not be stored'))
  })
}

/** Creates the function that reports codes and the login to `onState`. */
function createStateReport(sock: WASocket, { account, ctx, number }: SocketOptions, onState: OnState, warn: Warn) {
  async function requestCode(number: string): Promise<void> {
    const code = await sock.requestPairingCode(number)
    const until = new Date(ctx.clock.now() + codeLifetimeMs).toISOString()
    void onState({ status: 'qrcode', qrcode: account.sealedCode(serializePairing({ number, code, until })) })
  }
  return ({ qr, isNewLogin, connection }: BaileysEventMap['connection.update']): void => {
    if (qr && number === null) void onState({ status: 'qrcode', qrcode: account.sealedCode(qr) })
    if (qr && number !== null && !account.creds().pairingCode)
      void requestCode(number).catch((error) => warn(error, 'Pairing code request failed'))
    if (isNewLogin) void onState({ status: 'PAIRING' })
    if (connection === 'open') void onState({ status: 'CONNECTED', number: account.number() })
  }
}

/** Until then the account cannot write to people who never wrote. Each attempt would extend the restriction. */
async function setChatLock({ connection: { id } }: LeasedConnection, until: Date | null, { db, logger }: AppContext): Promise<void> {
  const noNewChatsUntil = until?.toISOString() ?? null
  if (until) logger.warn({ connectionId: id, until: noNewChatsUntil }, 'WhatsApp forbids the number to start new chats')
  await db.updateTable('connection').set({ noNewChatsUntil }).where('id', '=', id).execute()
}

function endOf(error: (Error & { output?: { statusCode?: number } }) | undefined): Pick<SocketEnd, 'code' | 'codeExpired'> {
  return { code: error?.output?.statusCode ?? 428, codeExpired: error?.message === codesExpired }
}
