import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { pino } from 'pino'
import { expect } from 'vitest'
import { findAnchors, publicKeys } from '#app/anchor/check.ts'
import { type Config, parseConfig, type Role } from '#app/config.ts'
import type { AppContext } from '#app/context.ts'
import { serializeError } from '#app/event-store/error-serializer.ts'
import { reactorProcessor } from '#app/event-store/reactor.ts'
import { runProcessor } from '#app/event-store/run-processor.ts'
import type { FeatureModule } from '#app/module.ts'
import type { Clock } from '#app/scheduler/clock.ts'
import { ticketReactor } from '#app/ticket/reactions.ts'
import { verifyLog } from '#app/verification/verify.ts'
import type { SettingKey } from '#domain/setting/contract.ts'
import { prefixOf } from '#domain/stream.ts'
import { freshDatabase } from './postgres.ts'
import { openProduct } from './product.ts'
import { recomputeReadModels } from './recompute-read-models.ts'
import { type Person, password, people, seedCompanies } from './seed-companies.ts'
import { openLine, type TestSocket } from './socket.ts'
import { stallMs } from './wait.ts'

export type Answer = { status: number; body: any; headers: Headers }
export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
export type TestApp = Awaited<ReturnType<typeof startTestApp>>

const masterKey = Buffer.alloc(32, 7).toString('base64')

/** The whole app in this process on a database of its own: web, projector and worker, with two companies. */
export async function startTestApp({
  config,
  roles = ['web', 'projector', 'worker'],
  log,
  areas = [],
  clock,
}: {
  config?: Partial<Config>
  roles?: Role[]
  /** Feature modules in addition to those of the app. */
  areas?: FeatureModule[]
  /** Receives every log line, including one for each call. */
  log?: (line: string) => void
  clock?: Clock
} = {}) {
  const database = await freshDatabase({ migrated: true })
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guiche-house-'))
  await chmod(dataDir, 0o755)
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    MASTER_KEY: masterKey,
    LOG_LEVEL: 'silent',
    SANDBOX: '1',
    WHATSAPP_URL: 'off',
    WHATSAPP_VERSION_URL: 'off',
    DEMO: '0',
    USER_CALLS_PER_SECOND: '0',
    PORT: '0',
  }
  const chosen = { ...parseConfig({ ...env, ROLES: roles.join() }), ...config }
  const faults: string[] = []
  const write = (line: string) => {
    log?.(line)
    if (JSON.parse(line).level >= 50) faults.push(line)
  }
  const logger = pino({ level: log ? 'debug' : 'error', serializers: { err: serializeError } }, { write })
  const { ctx, streams, ...product } = await openProduct({ config: chosen, connectionString: database.url, logger, areas, clock })
  const { db } = ctx
  const company = await seedCompanies(db)
  const { server, url } = await product.start()
  const tokens = new Map<Person, Promise<string>>()
  const lines: TestSocket[] = []
  /** The checkpoints that `settled` waits for. */
  const followers = new Set([
    ...(roles.includes('projector') ? ['tickets'] : []),
    ...(roles.includes('worker') ? ['ticketReactor', 'bots'] : []),
  ])

  const ask =
    (token: () => Promise<string | null>): Ask =>
    async (method, at, body, headers = {}) => {
      const bearer = await token()
      const plain = body !== undefined && !(body instanceof FormData) && !(body instanceof Buffer) && typeof body !== 'string'
      const response = await fetch(`${url}${/^\/(docs|metrics|api\/)/.test(at) ? at : `/api${at}`}`, {
        method,
        headers: { ...(bearer && { authorization: `Bearer ${bearer}` }), ...(plain && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: plain ? JSON.stringify(body) : (body as string | FormData | Buffer<ArrayBuffer>) }),
        signal: AbortSignal.timeout(stallMs),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return { status: response.status, body: isJson && text ? JSON.parse(text) : text || null, headers: response.headers }
    }
  const stranger = ask(async () => null)

  async function signIn(who: Person): Promise<string> {
    const { status, body } = await stranger('POST', '/auth/login', { email: `${who}@casa.test`, password })
    if (status !== 200) throw new Error(`${who} cannot sign in: ${JSON.stringify(body)}`)
    return body.token
  }
  function tokenOf(who: Person): Promise<string> {
    const known = tokens.get(who) ?? signIn(who)
    tokens.set(who, known)
    return known
  }
  const as = (who: Person) => ask(() => tokenOf(who))

  /** Waits until journal, outbox, jobs and processors have nothing left, twice in a row. */
  async function settled(): Promise<void> {
    let last = ''
    for (let quiet = 0, movedAt = Date.now(); quiet < 2; await sleep(20)) {
      const left = await waiting(db, await ctx.readHeadPosition(), [...followers])
      quiet = left === '' ? quiet + 1 : 0
      if (left !== last) movedAt = Date.now()
      else if (Date.now() - movedAt > stallMs) throw new Error(`Nothing changed for ${stallMs / 1000} s; left: ${left}`)
      last = left
    }
  }

  /**
   * Recomputes until no event came meanwhile, because simulated phones send delivery and read receipts by
   * themselves.
   */
  async function recounted(): ReturnType<typeof recomputeReadModels> {
    for (;;) {
      await settled()
      const head = await ctx.readHeadPosition()
      const found = await recomputeReadModels({ ...ctx, connectionString: database.url })
      if (head === (await ctx.readHeadPosition())) return found
    }
  }

  return {
    ...{ ctx, db, url, company, as, stranger, settled, faults, server, tokenOf },
    /** A customer's phone on a connection of the first company. Returns the provider's id of the message. */
    phone: {
      async says(from: string, body: string, { connection = company.connections.balcao, id = crypto.randomUUID(), ...more }: Spoken = {}) {
        const who: Person = connection === company.connections.deles ? 'root' : 'admin'
        const said = { id, from, name: `Cliente ${from.slice(-4)}`, body, ...more }
        const answer = await as(who)('POST', `/sandbox/${connection}/inbound`, said)
        if (answer.status !== 202) throw new Error(`inbound message refused: ${answer.status} ${JSON.stringify(answer.body)}`)
        return id
      },
    },
    async socket(who: Person): Promise<TestSocket> {
      const line = await openLine(url, await tokenOf(who))
      lines.push(line)
      return line
    },
    /** Runs the ticket reactor until `signal` aborts, for an app without a worker. It adds no jobs. */
    runTicketReactor(signal: AbortSignal): Promise<void> {
      followers.add(ticketReactor.name)
      signal.addEventListener('abort', () => followers.delete(ticketReactor.name), { once: true })
      return runProcessor(reactorProcessor(ticketReactor, { ...ctx, enqueue: async () => undefined }, db), ctx, signal)
    },
    forget: (who: Person) => tokens.delete(who),
    async set(key: SettingKey, value: string, companyId = company.companies.casa) {
      const row = { companyId, key, value }
      await db
        .insertInto('companySetting')
        .values(row)
        .onConflict((known) => known.columns(['companyId', 'key']).doUpdateSet(row))
        .execute()
      ctx.viewerCache.forget()
    },
    /**
     * Stops the app and checks that the read models equal a fresh fold, the chains are intact, and no error was
     * logged.
     */
    async stop({ faultsExpected = false } = {}): Promise<void> {
      try {
        const { live, fresh } = await recounted()
        expect(live).toEqual(fresh)
        const found = await findAnchors({ eventStore: ctx.eventStore, keys: publicKeys([ctx.signingKey]) })
        expect((await verifyLog(ctx.eventStore, streams.map(prefixOf), ctx.eventMacKeys, found)).bad).toEqual([])
        if (!faultsExpected) expect(faults).toEqual([])
      } finally {
        for (const line of lines) line.close()
        await product.close()
        await database.drop()
        await rm(dataDir, { recursive: true, force: true })
      }
    },
  }
}

type Spoken = { connection?: number; id?: string; name?: string } & Record<string, unknown>
export const everyone = Object.keys(people) as Person[]

async function waiting(db: Kysely<any>, head: bigint | null, followers: string[]): Promise<string> {
  const { rows } = await sql<{ what: string; n: number }>`
    select 'journal' as what, count(*)::int as n from inbound_event where done_at is null
    union all select 'outbox', count(*)::int from outbox where state = 'waiting'
    union all select 'jobs', count(*)::int from bullmq.job where state in ('waiting', 'active', 'delayed')
    union all select name, 1 from unnest(${followers}::text[]) as name
      where ${head !== null} and not exists (select from checkpoint c where c.name = name.name and c.position >= ${String(head ?? 0n)}::numeric)`.execute(
    db,
  )
  return rows
    .filter(({ n }) => n > 0)
    .map(({ what, n }) => `${what} ${n}`)
    .join(', ')
}

export type { AppContext as House }
