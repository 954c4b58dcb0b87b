import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { UnsupportedSchema } from '#projections/migrate.ts'
import { reconcileStores } from './backup/reconcile.ts'
import { loadConfig, refused, startDatabases } from './bootstrap/databases.ts'
import { recordServerAddress } from './bootstrap/server-address.ts'
import { parseArguments } from './commands/tools.ts'
import { ignoreErrors } from './concurrency/ignore-errors.ts'
import { withTimeout } from './concurrency/retry.ts'
import { type Config, ConfigError, localUrlOf, unknownVariables } from './config.ts'
import { createAppContext } from './context.ts'
import { repeatRecordedErasures } from './data-request/repeat.ts'
import { demoPassword } from './demo/accounts.ts'
import { firstWords, whoRemain } from './demo/remain.ts'
import { seedDemo } from './demo/seed.ts'
import { serializeError } from './event-store/error-serializer.ts'
import { openStartupServer } from './http/startup-server.ts'
import { metaRemarks } from './meta/environment.ts'
import { projectors, streamKinds } from './modules.ts'
import { openHealthServer } from './observability/health.ts'
import { watchRoles } from './observability/role-monitor.ts'
import { watchStores } from './observability/store-monitor.ts'
import { openProjector } from './roles/projector.ts'
import { openWeb } from './roles/web.ts'
import { openWorker } from './roles/worker.ts'

/*
 * By default V8 lets the heap grow to several times the live data: 629 MB after a load that leaves 120 MB (P15). With this flag, a young
 * generation of 8 MB instead of 16, and two libc arenas, it is about 300 MB, and P1 to P7 do not change. The other two settings must be
 * on Node's command line and in its environment (`docker/`, `setup.mjs`). A young generation of 1 MB doubles the processor time.
 */
setFlagsFromString('--heap-growing-percent=30')

const began = performance.now()
const redact = { paths: ['password', 'token', 'authorization', '*.password', '*.token', '*.authorization'], censor: '[hidden]' }
/** Shorter than the stop timeout of supervisors: 30 s for our Docker setup, 90 s for systemd. */
const graceMs = 20_000
const rolesMs = 8000
const answersMs = 5000
/** EX_CONFIG of sysexits.h: supervisors do not restart a process that ends with it (`docker/`). */
const refusedExitCode = 78

/** Functions that close what was opened, in the order of opening. */
const closers: (() => Promise<unknown>)[] = []
let logger: pino.Logger | null = null
let signalledAt = 0

parseArguments({}) // takes no arguments: the config comes from the environment
process.umask(0o027) // created files contain names and messages of customers
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => onSignal(signal))
try {
  await main()
} catch (error) {
  if (signalledAt === 0) {
    if (error instanceof ConfigError) for (const fault of error.faults) console.error(fault)
    else if (error instanceof UnsupportedSchema) console.error(error.message)
    else console.error(error instanceof Error ? (error.stack ?? error.message) : error)
    await ignoreErrors(shutDown(), 'the first error is reported')
    process.exit(isRefusal(error) ? refusedExitCode : 1)
  }
}

/** True if a restart without a change of settings or stores would fail in the same way. */
function isRefusal(error: unknown): boolean {
  return error instanceof UnsupportedSchema || (error instanceof ConfigError && !error.isTemporary)
}

/** Loads the config, opens the stores and starts the configured roles. */
async function main(): Promise<void> {
  const config = await loadConfig(process.env)
  logger = pino({ level: config.logLevel, redact, serializers: { err: serializeError } }, pino.destination({ sync: false }))
  for (const line of [...unknownVariables(process.env), ...metaRemarks(config)]) logger.warn({ remark: line }, 'Setting needs attention')
  const startupServer = await openStartupServer({ ...config, logger })
  closers.push(startupServer.close)
  const stores = await startDatabases(config, logger)
  closers.push(stores.close)
  startupServer.waitsFor('migrations')
  const ctx = await refused(config, createAppContext({ config: config, ...stores, logger, projectors, streams: streamKinds }))
  closers.push(ctx.close)
  startupServer.waitsFor('log')
  await reconcileStores(ctx)
  await repeatRecordedErasures(ctx)
  const log = logger
  const say = (line: string, level: 'info' | 'warn' = 'info') =>
    process.stdout.isTTY ? console.log(line) : log.child({}, { level: 'info' })[level](line)

  if (config.demo) {
    startupServer.waitsFor('demo')
    const started = performance.now()
    const seeded = await seedDemo(ctx, () => say('The demo company is being made; it answers when that is done.'))
    if (seeded) say(`The demo company was made in ${Math.round(performance.now() - started)} ms.`)
  }
  startupServer.waitsFor('roles')
  const roles = new AbortController()
  const running: Promise<void>[] = []
  closers.push(() => {
    roles.abort()
    return withTimeout(Promise.allSettled(running), rolesMs, 'the end of the roles').catch((error) =>
      log.warn({ err: error }, 'Roles did not end in time'),
    )
  })
  for (const line of await firstWords(ctx)) say(line, 'warn')
  if (config.roles.includes('projector')) running.push(openProjector(ctx, roles.signal))
  if (config.roles.includes('worker')) running.push(openWorker(ctx, roles.signal))
  const watch = watchStores(ctx.healthChecks, logger)
  closers.push(async () => watch())
  if (config.roles.includes('web')) {
    const stopWatchingRoles = watchRoles(ctx)
    closers.push(async () => stopWatchingRoles())
  }
  const server = config.roles.includes('web') ? await openWeb(ctx) : openHealthServer(ctx)
  closers.push(() => closeServer(server))
  await startupServer.handOver(server)

  process.on('unhandledRejection', (error) => log.error({ err: error }, 'Unhandled rejection'))
  const [address] = server.addresses()
  const port = typeof address === 'object' ? address.port : config.port
  if (config.roles.includes('web')) closers.push(await recordServerAddress(config.dataDir, localUrlOf({ host: config.host, port })))
  const demo = config.demo ? (await whoRemain(ctx.db)).map(({ email }) => email) : []
  for (const line of announcement(port, config, demo)) say(line)
}

/** Answers running requests; closes connections that take longer. */
async function closeServer(server: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => {
    server.server.closeAllConnections()
    for (const socket of server.websocketServer?.clients ?? []) socket.terminate()
  }, answersMs)
  await server.close().finally(() => clearTimeout(cut))
}

/** A supervisor may signal the process group and npm again, so a second signal within a second counts as the same one. */
function onSignal(signal: NodeJS.Signals): void {
  if (signalledAt > 0) {
    if (Date.now() - signalledAt < 1000) return
    logger?.warn({ signal }, 'Second signal received; forcing shutdown')
    flush(1)
    return
  }
  signalledAt = Date.now()
  logger?.info({ signal }, 'Stopping')
  withTimeout(shutDown(), graceMs, 'the stop').then(
    () => {
      logger?.info('Stopped')
      flush(0)
    },
    (error) => {
      logger?.error({ err: error }, 'Shutdown was not clean')
      flush(1)
    },
  )
}

async function shutDown(): Promise<void> {
  const faults: unknown[] = []
  for (const close of closers.splice(0).reverse()) await close().catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

/** Writes the last log lines before the exit, but waits at most 500 ms, because nobody may read the pipe. */
function flush(code: number): void {
  if (!logger) process.exit(code)
  setTimeout(() => process.exit(code), 500)
  logger.flush(() => process.exit(code))
}

function announcement(port: number, { host, sandbox, roles }: Config, demo: string[]): string[] {
  const address = localUrlOf({ host, port })
  const lines = [`Guichê (${roles.join(', ')}) at ${address} after ${Math.round(performance.now() - began)} ms`]
  if (roles.includes('web') && sandbox) lines.push(`  customers' phones: ${address}/sandbox`)
  if (roles.includes('web') && demo.length > 0) lines.push(`  sign in as ${demo.join(', ')} with ${demoPassword}`)
  return lines
}
