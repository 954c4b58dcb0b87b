import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { minuteMs } from '#domain/duration/rules.ts'
import type { Database } from '#projections/database.ts'
import type { ConnectionState, LeasedConnection } from '../channels/channel.ts'
import { createSerializer } from '../concurrency/keyed-serializer.ts'
import { createBackoff, createLoggedBackoff, retryUntilAborted } from '../concurrency/retry.ts'
import { pairingIn } from '../connection/pairing.ts'
import { setConnectionState } from '../connection/state.ts'
import type { AppContext } from '../context.ts'
import { importOf } from '../inbound/importing.ts'
import { openAccount } from './account.ts'
import { silence } from './baileys-logger.ts'
import { memory as newMemory } from './memory.ts'
import { absence, afterwards, type Outage, type SocketEnd } from './reconnect.ts'
import { openSocket } from './socket.ts'
import type { SocketOptions } from './socket-config.ts'
import { turn } from './turn.ts'
import { isLaterFound } from './version.ts'

type Row = { status: ConnectionState['status']; qrcode: string; reason: string | null; updatedAt: string }
/** The failure count restarts after a socket was open for this time. */
const steadyMs = minuteMs
/** How long the removal of the device may take. */
const leaveTimeoutMs = 5000
const same = (a: Row, b: Pick<Row, 'status' | 'qrcode'>) => a.status === b.status && a.qrcode === b.qrcode
const isStopped = ({ status }: Row) => status === 'DISCONNECTED' || status === 'TIMEOUT'
/** A user ended the connection, or wants to link another phone. */
const isOver = (row: Row) => (row.status === 'DISCONNECTED' && row.reason === null) || wantsCode(row)
/** A user requested a code. A code that exists is encrypted and looks different. */
const wantsCode = ({ status, qrcode }: Row) => status === 'qrcode' && (qrcode === '' || pairingIn(qrcode) !== null)

/**
 * Keeps one socket of the account open while this process leases the connection. The code of its end decides whether and when it restarts.
 * Users request changes by writing to the connection's row: a row that differs from the last written state is a request.
 */
export async function keepConnected(leased: LeasedConnection, ctx: AppContext, signal: AbortSignal): Promise<void> {
  silence()
  const account = await openAccount(leased, ctx)
  let memory = newMemory()
  const stateSync = await createStateSync(leased, ctx)
  let failures = 0
  /** The number of the phone for the pairing code. */
  let number: string | null = null
  while (!signal.aborted) {
    if (account.linked() && isOver(stateSync.row())) await removeDevice({ leased, account, memory, ctx, number: null, importing: false })
    if (isStopped(stateSync.row())) {
      await leased.session.wait()
      await stateSync.look()
      continue
    }
    if (wantsCode(stateSync.row())) number = pairingIn(stateSync.row().qrcode)?.number ?? null
    if (!account.linked()) {
      await account.forget() // WhatsApp would refuse the credentials of an unused pairing code
      memory = newMemory()
    }
    const began = performance.now()
    const known = account.linked()
    const importing = (await importOf(ctx.db, leased.connection.id)) !== null
    const end = await runSocket({ leased, account, memory, ctx, number, importing }, stateSync, signal)
    if (signal.aborted || end === null) {
      failures = 0
      continue
    }
    const { code } = end
    failures = performance.now() - began > steadyMs ? 1 : failures + 1
    await retryAccountWrite(() => account.save(), ctx, signal) // a phone may just have been linked
    if (!known && account.linked() && (await isNumberTaken(leased, account.number(), ctx))) {
      await removeDevice({ leased, account, memory, ctx, number: null, importing: false })
      await stateSync.tell({ status: 'DISCONNECTED', reason: 'TAKEN' }, signal)
      continue
    }
    const replaced = code === 440 && (await retryAccountWrite(() => account.replaced(ctx.clock.now()), ctx, signal)) === true
    const next = afterwards({
      ...end,
      linked: account.linked(),
      failures,
      replaced,
      later: code === 405 && (await isLaterFound(ctx, signal)),
    })
    ctx.logger.info(
      { connectionId: leased.connection.id, code, reason: next.reason, ...(next.again && { afterMs: next.afterMs }) },
      'WhatsApp socket ended',
    )
    if (next.again) {
      if (code === 515) failures = 0
      else await stateSync.tell({ status: 'OPENING', reason: next.reason ?? null }, signal, code === 440 ? 'REPLACED' : absence(end))
      const { alarm: message } = next
      if (message) ctx.logger.error({ connectionId: leased.connection.id, code }, message)
      await stateSync.otherwise(next.afterMs, signal)
    } else {
      if (next.forget) await account.forget()
      await stateSync.tell({ status: next.status, reason: next.reason }, signal)
    }
  }
}

/** Whether another connection of the company has this number, because each message would open a ticket in both. */
async function isNumberTaken({ connection: { id, companyId } }: LeasedConnection, number: string, { db }: AppContext): Promise<boolean> {
  const others = db.selectFrom('connection').select('id').where('companyId', '=', companyId).where('id', '!=', id)
  const sameNumber = others
    .where('number', '=', number)
    .where('provider', 'in', ['beta', 'cloud'])
    .where('status', 'in', ['CONNECTED', 'OPENING'])
  return (await sameNumber.executeTakeFirst()) !== undefined
}

/** Removes the device from the phone's account, if reachable, and deletes the keys. Used when the end was requested without a socket. */
async function removeDevice(at: SocketOptions): Promise<void> {
  const open = Promise.withResolvers<void>()
  const socket = openSocket(at, async ({ status }) => {
    if (status === 'CONNECTED') open.resolve()
  })
  await Promise.race([open.promise, socket.ended, sleep(leaveTimeoutMs)])
  await Promise.race([socket.leave(), sleep(leaveTimeoutMs)])
  await at.account.forget()
}

const createBackoffFor = ({ logger }: AppContext, what: string) => createLoggedBackoff(createBackoff(200, 5000), logger, what)
const retryAccountWrite = <T>(tell: () => Promise<T>, ctx: AppContext, signal: AbortSignal): Promise<T | undefined> =>
  retryUntilAborted(tell, createBackoffFor(ctx, 'WhatsApp account write'), signal)

/** Runs one socket. Returns how it ended, or null if a user's request ended it. */
async function runSocket(at: SocketOptions, stateSync: StateSync, signal: AbortSignal): Promise<SocketEnd | null> {
  const { leased, account, ctx } = at
  const over = new AbortController()
  const here = AbortSignal.any([signal, over.signal])
  const next = await turn()
  if (signal.aborted) {
    next()
    return null
  }
  const socket = openSocket(at, async (state) => {
    next()
    if (state.status === 'CONNECTED') ctx.caches.whatsappSockets.set(leased.connection.id, socket.live)
    await stateSync.tell(state, here)
  })
  const asked = stateSync.otherwise(undefined, here).then(() => null)
  try {
    const end = await Promise.race([socket.ended, asked])
    if (end !== null) return end
    const row = stateSync.row()
    if (!signal.aborted && (row.status === 'DISCONNECTED' || isOver(row))) {
      await Promise.race([socket.leave(), sleep(leaveTimeoutMs)])
      await account.forget()
    }
    return null
  } finally {
    next()
    ctx.caches.whatsappSockets.delete(leased.connection.id)
    over.abort()
    await socket.end()
    await asked
  }
}

/** Sets the reason of the gap that this transaction opened. */
const explainGap = (on: Kysely<Database>, connectionId: number, reason: Outage) =>
  on
    .updateTable('connectionGap')
    .set({ reason })
    .where('connectionId', '=', connectionId)
    .where('endedAt', 'is', null)
    .where('reason', 'is', null)
    .where(sql<boolean>`began_at = app_now()`)
    .execute()

type StateSync = Awaited<ReturnType<typeof createStateSync>>
/** Writes the state of the connection, and detects requests of users. */
async function createStateSync({ connection: { id }, session }: LeasedConnection, ctx: AppContext) {
  const read = (db = ctx.db) => db.selectFrom('connection').select(['status', 'qrcode', 'reason', 'updatedAt']).where('id', '=', id)
  const gone: Row = { status: 'DISCONNECTED', qrcode: '', reason: 'GONE', updatedAt: '' }
  let row: Row = (await read().executeTakeFirst()) ?? gone
  const writes = createSerializer()
  /** Number of the newest state to write. */
  let newest = 0
  /** Reads the row again. Returns whether it differs from the last written state. */
  async function look(): Promise<boolean> {
    await writes.idle()
    const found = (await read().executeTakeFirst()) ?? gone
    const changed = !same(found, row)
    touched = found.updatedAt !== row.updatedAt
    row = found
    return changed
  }
  /** The row was written again with the same state, which requests a restart. */
  let touched = false
  async function write(state: ConnectionState, why?: Outage): Promise<void> {
    const written = await ctx.db.transaction().execute(async (on) => {
      const found = await read(on).forUpdate().executeTakeFirst()
      if (!found || !same(found, row)) return null // a user changed the row meanwhile
      await setConnectionState({ ...ctx, db: on }, { id }, state)
      if (why) await explainGap(on, id, why)
      return read(on).executeTakeFirstOrThrow()
    })
    if (written) row = written
    else session.set()
  }
  return {
    row: () => row,
    look,
    /**
     * Writes states one after the other, in order. A failed write is retried unless a newer state exists. `why`: the reason of the gap, if
     * the state has none yet.
     */
    async tell(state: ConnectionState, signal: AbortSignal, why?: Outage): Promise<void> {
      const mine = ++newest
      const act = async () => {
        if (mine !== newest) return
        await writes.run(() => write(state, why))
      }
      await retryUntilAborted(act, createBackoffFor(ctx, `State of connection ${id}`), signal)
    },
    /** Waits until a user requests something, or until the time is over. */
    async otherwise(ms: number | undefined, signal: AbortSignal): Promise<void> {
      const until = ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + ms
      signal.addEventListener('abort', session.set, { once: true })
      for (let left = until - performance.now(); left > 0 && !signal.aborted; left = until - performance.now()) {
        await session.wait(Number.isFinite(left) ? left : undefined)
        if (signal.aborted || (await look()) || (touched && (ms !== undefined || row.status === 'OPENING'))) break
      }
      signal.removeEventListener('abort', session.set)
    },
  }
}
