import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import type { ConnectionState, LeasedConnection } from '../channels/channel.ts'
import { createBackoff, createLoggedBackoff, retryUntilAborted } from '../concurrency/retry.ts'
import { pairingIn } from '../connection/pairing.ts'
import { setConnectionState } from '../connection/state.ts'
import type { AppContext } from '../context.ts'
import { importOf } from '../inbound/importing.ts'
import { openAccount } from './account.ts'
import { silence } from './baileys-logger.ts'
import { sockets } from './live-sockets.ts'
import { memory as newMemory } from './memory.ts'
import { afterwards, type Outage } from './reconnect.ts'
import { type At, openSocket } from './socket.ts'
import { turn } from './turn.ts'
import { isLaterFound } from './version.ts'

type Row = { status: ConnectionState['status']; qrcode: string; reason: string | null; updatedAt: string }
/** A socket that stood so long begins to count its failures anew. */
const steadyMs = 60_000
/** So long a phone may take to hear that we leave. */
const partingMs = 5000
const same = (a: Row, b: Pick<Row, 'status' | 'qrcode'>) => a.status === b.status && a.qrcode === b.qrcode
const rests = ({ status }: Row) => status === 'DISCONNECTED' || status === 'TIMEOUT'
/** Somebody here gave the account up, or wants to link another. */
const isOver = (row: Row) => (row.status === 'DISCONNECTED' && row.reason === null) || isAnew(row)
/** A code is wanted; what stands there once it was made is sealed. */
const isAnew = ({ status, qrcode }: Row) => status === 'qrcode' && (qrcode === '' || pairingIn(qrcode) !== null)

/**
 * Holds the socket of one account for as long as this process holds the connection: one at a time, begun again by what it ended with. The
 * row of the connection says what is wanted: whoever asks for something writes it there, and what is not as we wrote it was asked for.
 */
export async function keepConnected(line: LeasedConnection, ctx: AppContext, signal: AbortSignal): Promise<void> {
  silence()
  const account = await openAccount(line, ctx)
  let memory = newMemory()
  const post = await postOf(line, ctx)
  let failures = 0
  /** Of the phone that a code is to be typed into. */
  let number: string | null = null
  while (!signal.aborted) {
    if (account.linked() && isOver(post.row())) await partWith({ line, account, memory, house: ctx, number: null, importing: false })
    if (rests(post.row())) {
      await line.session.rung()
      await post.look()
      continue
    }
    if (isAnew(post.row())) number = pairingIn(post.row().qrcode)?.number ?? null
    if (!account.linked()) {
      await account.forget() // what is left of a code that nobody typed would be taken for an account, and refused
      memory = newMemory()
    }
    const began = performance.now()
    const known = account.linked()
    const importing = (await importOf(ctx.db, line.connection.id)) !== null
    const code = await oneSocket({ line, account, memory, house: ctx, number, importing }, post, signal)
    if (signal.aborted || code === null) {
      failures = 0
      continue
    }
    failures = performance.now() - began > steadyMs ? 1 : failures + 1
    await persistently(() => account.save(), ctx, signal) // a phone may have been linked a moment ago
    if (!known && account.linked() && (await isHere(line, account.number(), ctx))) {
      await partWith({ line, account, memory, house: ctx, number: null, importing: false })
      await post.tell({ status: 'DISCONNECTED', reason: 'TAKEN' }, signal)
      continue
    }
    const replaced = code === 440 && (await persistently(() => account.replaced(ctx.clock.now()), ctx, signal)) === true
    const next = afterwards({
      code,
      linked: account.linked(),
      failures,
      replaced,
      later: code === 405 && (await isLaterFound(ctx, signal)),
    })
    ctx.logger.info(
      { connectionId: line.connection.id, code, ...(next.again ? { afterMs: next.afterMs } : { reason: next.reason }) },
      'a WhatsApp socket ended',
    )
    if (next.again) {
      if (code === 515) failures = 0
      else await post.tell({ status: 'OPENING', reason: next.reason ?? null }, signal, code === 440 ? 'REPLACED' : 'AWAY')
      if (next.alarm) ctx.logger.error({ connectionId: line.connection.id, code }, next.alarm)
      await post.otherwise(next.afterMs, signal)
    } else {
      if (next.forget) await account.forget()
      await post.tell({ status: next.status, reason: next.reason }, signal)
    }
  }
}

/** Whether another connection of the company has the number: whoever writes to it would have a ticket by each. */
async function isHere({ connection: { id, companyId } }: LeasedConnection, number: string, { db }: AppContext): Promise<boolean> {
  const others = db.selectFrom('connection').select('id').where('companyId', '=', companyId).where('id', '!=', id)
  const sameNumber = others
    .where('number', '=', number)
    .where('provider', 'in', ['beta', 'cloud'])
    .where('status', 'in', ['CONNECTED', 'OPENING'])
  return (await sameNumber.executeTakeFirst()) !== undefined
}

/** It was ended while nobody held it: the phone is told where it can be reached, and the keys go. */
async function partWith(at: At): Promise<void> {
  const open = Promise.withResolvers<void>()
  const socket = openSocket(at, async ({ status }) => {
    if (status === 'CONNECTED') open.resolve()
  })
  await Promise.race([open.promise, socket.ended, sleep(partingMs)])
  await Promise.race([socket.leave(), sleep(partingMs)])
  await at.account.forget()
}

const patience = ({ logger }: AppContext, what: string) => createLoggedBackoff(createBackoff(200, 5000), logger, what)
const persistently = <T>(tell: () => Promise<T>, ctx: AppContext, signal: AbortSignal): Promise<T | undefined> =>
  retryUntilAborted(tell, patience(ctx, 'the keeping of an account'), signal)

/** Answers the code it ended with; null where something else was asked for, which is done then. */
async function oneSocket(at: At, post: Post, signal: AbortSignal): Promise<number | null> {
  const { line, account, house: ctx } = at
  const over = new AbortController()
  const here = AbortSignal.any([signal, over.signal])
  const next = await turn()
  if (signal.aborted) {
    next()
    return null
  }
  const socket = openSocket(at, async (standing) => {
    next()
    if (standing.status === 'CONNECTED') sockets(ctx.db).set(line.connection.id, socket.live)
    await post.tell(standing, here)
  })
  const asked = post.otherwise(undefined, here).then(() => null)
  try {
    const code = await Promise.race([socket.ended, asked])
    if (code !== null) return code
    const row = post.row()
    if (!signal.aborted && (row.status === 'DISCONNECTED' || isOver(row))) {
      await Promise.race([socket.leave(), sleep(partingMs)])
      await account.forget()
    }
    return null
  } finally {
    next()
    sockets(ctx.db).delete(line.connection.id)
    over.abort()
    await socket.end()
    await asked
  }
}

/** A gap that began in this transaction, which nobody here made. */
const explainGap = (on: Kysely<Database>, connectionId: number, reason: Outage) =>
  on
    .updateTable('connectionGap')
    .set({ reason })
    .where('connectionId', '=', connectionId)
    .where('endedAt', 'is', null)
    .where('reason', 'is', null)
    .where(sql<boolean>`began_at = app_now()`)
    .execute()

type Post = Awaited<ReturnType<typeof postOf>>
/** Where is said how the connection stands, and where is read what is asked for. */
async function postOf({ connection: { id }, session }: LeasedConnection, ctx: AppContext) {
  const read = (db = ctx.db) => db.selectFrom('connection').select(['status', 'qrcode', 'reason', 'updatedAt']).where('id', '=', id)
  const gone: Row = { status: 'DISCONNECTED', qrcode: '', reason: 'GONE', updatedAt: '' }
  let row: Row = (await read().executeTakeFirst()) ?? gone
  let before: Promise<void> = Promise.resolve()
  /** How often something was told. */
  let newest = 0
  /** Whether the row is other than we left it. */
  async function look(): Promise<boolean> {
    await before
    const found = (await read().executeTakeFirst()) ?? gone
    const changed = !same(found, row)
    touched = found.updatedAt !== row.updatedAt
    row = found
    return changed
  }
  /** The same was asked for that is there: begun again, while it begins. */
  let touched = false
  async function write(standing: ConnectionState, why?: Outage): Promise<void> {
    const written = await ctx.db.transaction().execute(async (on) => {
      const found = await read(on).forUpdate().executeTakeFirst()
      if (!found || !same(found, row)) return null // somebody asked for something meanwhile
      await setConnectionState({ ...ctx, db: on }, { id }, standing)
      if (why) await explainGap(on, id, why)
      return read(on).executeTakeFirstOrThrow()
    })
    if (written) row = written
    else session.ring()
  }
  return {
    row: () => row,
    look,
    /**
     * One after the other, in the order in which it was told; what could not be kept is tried again, unless something newer was told. `why`:
     * what its gaps say of it where nobody is told of a reason yet.
     */
    async tell(standing: ConnectionState, signal: AbortSignal, why?: Outage): Promise<void> {
      const mine = ++newest
      const act = async () => {
        if (mine !== newest) return
        const writing = before.then(() => write(standing, why))
        before = writing.catch(() => undefined)
        await writing
      }
      await retryUntilAborted(act, patience(ctx, `how connection ${id} stands`), signal)
    },
    /** Until something else is asked for, or the time is over. */
    async otherwise(ms: number | undefined, signal: AbortSignal): Promise<void> {
      const until = ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + ms
      signal.addEventListener('abort', session.ring, { once: true })
      for (let left = until - performance.now(); left > 0 && !signal.aborted; left = until - performance.now()) {
        await session.rung(Number.isFinite(left) ? left : undefined)
        if (signal.aborted || (await look()) || (touched && (ms !== undefined || row.status === 'OPENING'))) break
      }
      signal.removeEventListener('abort', session.ring)
    },
  }
}
