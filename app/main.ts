import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { UnsupportedSchema } from '#projections/migrate.ts'
import { reconcileStores } from './backup/reconcile.ts'
import { loadConfig, refused, startDatabases } from './bootstrap/databases.ts'
import { words } from './commands/tools.ts'
import { withTimeout } from './concurrency/retry.ts'
import { type Config, ConfigError, unknownVariables } from './config.ts'
import { createAppContext } from './context.ts'
import { demoPassword } from './demo/accounts.ts'
import { firstWords, whoRemain } from './demo/remain.ts'
import { seedDemo } from './demo/seed.ts'
import { unquoted } from './event-store/error-serializer.ts'
import { openStartupServer } from './http/startup-server.ts'
import { metaRemarks } from './meta/environment.ts'
import { projectors, streamKinds } from './modules.ts'
import { openHealthServer } from './observability/health.ts'
import { watchStores } from './observability/store-monitor.ts'
import { openProjector } from './roles/projector.ts'
import { openWeb } from './roles/web.ts'
import { openWorker } from './roles/worker.ts'

/*
 * V8 lets garbage stand until the heap is several times what lives in it: 629 MB after a load that leaves 120 (P15). With this, and young
 * objects in 8 MB instead of 16 and two of libc's arenas, which are only heard on Node's command line and in its environment (`docker/`,
 * `setup.mjs`), it is about 300, and P1 to P7 are what they were without; to keep the young ones in 1 MB costs twice the processor.
 */
setFlagsFromString('--heap-growing-percent=30')

const began = performance.now()
const redact = { paths: ['password', 'token', 'authorization', '*.password', '*.token', '*.authorization'], censor: '[hidden]' }
/** Less than what waits for us gives: Docker 30 s here, systemd 90 s. */
const graceMs = 20_000
const rolesMs = 8000
const answersMs = 5000

/** How to take down what stands, in the order in which it was opened. */
const closers: (() => Promise<unknown>)[] = []
let logger: pino.Logger | null = null
let signalledAt = 0

words({}) // its settings are of the environment
process.umask(0o027) // what is made holds names and words of customers
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => hear(signal))
try {
  await main()
} catch (error) {
  if (signalledAt === 0) {
    if (error instanceof ConfigError) for (const fault of error.faults) console.error(fault)
    else if (error instanceof UnsupportedSchema) console.error(error.message)
    else console.error(error instanceof Error ? (error.stack ?? error.message) : error)
    await down().catch(() => undefined)
    process.exit(error instanceof UnsupportedSchema ? 2 : 1)
  }
}

/** Reads the settings, opens the stores, starts the roles asked for. */
async function main(): Promise<void> {
  const settings = await loadConfig(process.env)
  logger = pino({ level: settings.logLevel, redact, serializers: { err: unquoted } }, pino.destination({ sync: false }))
  for (const line of [...unknownVariables(process.env), ...metaRemarks(settings)]) logger.warn(line)
  const porch = await openStartupServer({ ...settings, logger })
  closers.push(porch.close)
  const stores = await startDatabases(settings, logger)
  closers.push(stores.close)
  porch.waitsFor('migrations')
  const ctx = await refused(settings, createAppContext({ config: settings, ...stores, logger, projectors, streams: streamKinds }))
  closers.push(ctx.close)
  porch.waitsFor('log')
  await reconcileStores(ctx)
  const log = logger
  const say = (line: string, level: 'info' | 'warn' = 'info') =>
    process.stdout.isTTY ? console.log(line) : log.child({}, { level: 'info' })[level](line)

  if (settings.demo) {
    porch.waitsFor('demo')
    const started = performance.now()
    const seeded = await seedDemo(ctx, () => say('The demo company is being made; it answers when that is done.'))
    if (seeded) say(`The demo company was made in ${Math.round(performance.now() - started)} ms.`)
  }
  porch.waitsFor('roles')
  const roles = new AbortController()
  const running: Promise<void>[] = []
  closers.push(() => {
    roles.abort()
    return withTimeout(Promise.allSettled(running), rolesMs, 'the end of the roles').catch((error) =>
      log.warn({ err: error }, 'left at work'),
    )
  })
  for (const line of await firstWords(ctx)) say(line, 'warn')
  if (settings.roles.includes('projector')) running.push(openProjector(ctx, roles.signal))
  if (settings.roles.includes('worker')) running.push(openWorker(ctx, roles.signal))
  const watch = watchStores(ctx.healthChecks, logger)
  closers.push(async () => watch())
  const server = settings.roles.includes('web') ? await openWeb(ctx) : openHealthServer(ctx)
  closers.push(() => answered(server))
  await porch.handOver(server)

  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a rejection nobody handled'))
  const [address] = server.addresses()
  const demo = settings.demo ? (await whoRemain(ctx.db)).map(({ email }) => email) : []
  for (const line of announcement(typeof address === 'object' ? address.port : settings.port, settings, demo)) say(line)
}

/** What is under way is answered; who takes longer than that is cut off. */
async function answered(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => {
    server.server.closeAllConnections()
    for (const socket of server.websocketServer?.clients ?? []) socket.terminate()
  }, answersMs)
  await server.close().finally(() => clearTimeout(cut))
}

/** A supervisor may tell the whole group and npm once more: what comes within a second is the same word. */
function hear(signal: NodeJS.Signals): void {
  if (signalledAt > 0) {
    if (Date.now() - signalledAt < 1000) return
    logger?.warn({ signal }, 'told twice: stops at once')
    flush(1)
    return
  }
  signalledAt = Date.now()
  logger?.info({ signal }, 'stops')
  withTimeout(down(), graceMs, 'the stop').then(
    () => {
      logger?.info('stopped')
      flush(0)
    },
    (error) => {
      logger?.error({ err: error }, 'the stop was not clean')
      flush(1)
    },
  )
}

async function down(): Promise<void> {
  const faults: unknown[] = []
  for (const close of closers.splice(0).reverse()) await close().catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

/** The last line is written before the end; a pipe that nobody reads holds nothing up. */
function flush(code: number): void {
  if (!logger) process.exit(code)
  setTimeout(() => process.exit(code), 500)
  logger.flush(() => process.exit(code))
}

function announcement(port: number, { host, sandbox, roles }: Config, demo: string[]): string[] {
  const address = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`
  const lines = [`Guichê (${roles.join(', ')}) at ${address} after ${Math.round(performance.now() - began)} ms`]
  if (roles.includes('web') && sandbox) lines.push(`  customers' phones: ${address}/sandbox`)
  if (roles.includes('web') && demo.length > 0) lines.push(`  sign in as ${demo.join(', ')} with ${demoPassword}`)
  return lines
}
