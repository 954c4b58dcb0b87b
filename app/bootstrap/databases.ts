import { randomBytes, randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import { probe } from '../blobs/s3.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { withTimeout } from '../concurrency/retry.ts'
import { type Config, ConfigError, joinConfigErrors, parseConfig, placesIn, unknownVariables } from '../config.ts'
import { startPostgres } from '../embedded/database.ts'
import { withoutValue } from '../event-store/error-serializer.ts'
import { ConcurrencyConflict, type EventStore, Unavailable } from '../event-store/event-store.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { portInUse } from '../http/startup-server.ts'

export type Stores = {
  connectionString: string
  masterKey: Buffer | null
  /** Creates a key; allowed only while nothing is sealed in the store. */
  makeKey?: () => Promise<Buffer>
  close: () => Promise<void>
}

/** Routine messages of Postgres, logged at debug level; operators should see all others. */
const routineMessage = /^LOG:/

const timeoutMs = 10_000

/** Opens the configured Postgres or starts the embedded one, and returns its address and the master key. */
export async function startDatabases(config: Config, logger: Logger): Promise<Stores> {
  const { dataDir, databaseUrl, masterKey } = config
  if (databaseUrl) return { connectionString: databaseUrl, masterKey, close: async () => undefined }
  const log = (line: string) => {
    if (line.startsWith('\t')) return // continuation lines contain values or statements
    logger[routineMessage.test(line) ? 'debug' : 'warn']({ from: 'postgres' }, withoutValue(line))
  }
  const postgres = await faultOf('DATA_DIR', () => startPostgres({ dataDir, log }))
  const close = () => postgres.stop()
  try {
    return { connectionString: postgres.url, ...(await faultOf('DATA_DIR', () => readOrCreateMasterKey(config))), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Checks the port, the data folder, the anchor file and the record of erasures before anything is created. */
async function preflightChecks({ host, port, dataDir, anchorFile, erasureFile }: Config): Promise<ConfigError[]> {
  const places = [
    ...folderFaults(dataDir),
    ...(anchorFile ? fileFaults('ANCHOR_FILE', anchorFile) : []),
    ...erasureFaults(dataDir, erasureFile),
  ]
  return [...(await portFaults(host, port)), ...places.map((line) => new ConfigError([line]))]
}

function portFaults(host: string, port: number): Promise<ConfigError[]> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE') resolve([portInUse(host, port)])
      else if (code === 'EACCES') resolve([new ConfigError([`PORT: ${port} may not be opened by this user`])])
      else resolve([new ConfigError([`HOST: ${host} is no address of this machine (${code})`])])
    })
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve([])))
  })
}

function folderFaults(dataDir: string): string[] {
  let place = dataDir
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place)
  if (!statSync(place).isDirectory()) return [`DATA_DIR: ${place} is no folder`]
  try {
    rmdirSync(mkdtempSync(path.join(place, '.guiche-'))) // checking permissions is not enough: root has them below /proc too
    return []
  } catch (error) {
    return [`DATA_DIR: ${place} cannot be written by this user (${(error as NodeJS.ErrnoException).code})`]
  }
}

/** The default place is in the data folder, which the start creates. */
const erasureFaults = (dataDir: string, file: string): string[] =>
  path.dirname(file) === dataDir && !existsSync(file) ? [] : fileFaults('ERASURE_FILE', file)

function fileFaults(name: string, file: string): string[] {
  try {
    if (existsSync(file) && !statSync(file).isFile()) return [`${name}: ${file} is no file`]
    accessSync(existsSync(file) ? file : path.dirname(file), constants.W_OK)
    return []
  } catch (error) {
    return [`${name}: ${file} cannot be written by this user (${(error as NodeJS.ErrnoException).code})`]
  }
}

/** Parses and checks the config of a serving process. Throws one `ConfigError` with all faults found before anything is created. */
export async function loadConfig(env: Record<string, string | undefined>): Promise<Config> {
  const errors: ConfigError[] = []
  const collectFaults = (error: unknown) => {
    if (!(error instanceof ConfigError)) throw error
    errors.push(error)
  }
  let config: Config | null = null
  try {
    config = parseConfig(env)
  } catch (error) {
    collectFaults(error)
  }
  errors.push(...(await preflightChecks(config ?? placesIn(env))))
  if (config) await checkConnections(config).catch(collectFaults)
  if (config && errors.length === 0) return config
  const { faults, isTemporary } = joinConfigErrors(errors)
  throw new ConfigError([...faults, ...unknownVariables(env)], { isTemporary })
}

/** Connects to every configured store. Throws one `ConfigError` with all that refuse. */
export async function checkConnections({ databaseUrl, redisUrl, eventstoreUrl, s3 }: Config): Promise<void> {
  const checks = [
    ...(databaseUrl ? [faultOf('DATABASE_URL', () => checkPostgres(databaseUrl))] : []),
    ...(redisUrl ? [faultOf('REDIS_URL', () => checkRedis(redisUrl))] : []),
    ...(eventstoreUrl ? [faultOf('EVENTSTORE_URL', () => checkEventStore(eventstoreUrl))] : []),
    ...(s3 ? [faultOf('S3_ENDPOINT', () => probe(s3))] : []),
  ]
  const results = await Promise.allSettled(checks)
  const errors = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as ConfigError] : []))
  if (errors.length > 0) throw joinConfigErrors(errors)
}

async function checkPostgres(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; encoding: string; icu: boolean }>(
      `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
        exists (select from pg_collation where collname = 'und-x-icu') as icu`,
    )
    const { version, encoding, icu } = rows[0]!
    if (version < 14) throw new Error(`Postgres ${version} is too old; 14 or newer is needed`)
    if (encoding !== 'UTF8') throw new Error(`the database is encoded in ${encoding}; create one with: create database … encoding 'UTF8'`)
    if (!icu) throw new Error('this Postgres was built without ICU, whose collations sort the names')
  } finally {
    void ignoreErrors(client.end(), 'nobody waits: closing a connection to a server that hangs never ends')
  }
}

async function checkRedis(url: string): Promise<void> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: timeoutMs, commandTimeout: timeoutMs })
  let last: Error | null = null
  redis.on('error', (error) => {
    last = error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    throw last ?? error
  } finally {
    redis.disconnect()
  }
}

async function checkEventStore(url: string): Promise<void> {
  const { createEsdbEventStore } = await import('../event-store/eventstoredb.ts')
  const { isTransientEsdbError } = await import('../event-store/esdb-errors.ts')
  const log = createEsdbEventStore(url)
  const check = (answer: Promise<unknown>, denied: string) =>
    withTimeout(answer, timeoutMs, 'an answer')
      .catch(deniedAs(denied))
      .catch((error) => {
        throw isTransientEsdbError(error) ? Object.assign(new Unavailable(error.message), { code: error.code }) : error
      })
  try {
    await check(log.readHeadPosition(), 'its account may not read $all')
    await check(checkAppendPermission(log), 'its account may not append')
  } finally {
    await log.close()
  }
}

/** Appends at an impossible revision, so that nothing is written: the server checks permissions before the revision. */
async function checkAppendPermission(eventStore: EventStore): Promise<void> {
  const nowhere = 2n ** 62n
  await eventStore.append('knock-0', nowhere, [{ id: randomUUID(), type: 'Knocked', data: {}, meta: {} }]).catch((error) => {
    if (!(error instanceof ConcurrencyConflict)) throw error
  })
}

const unauthenticated = 16
const permissionDenied = 7
const deniedAs = (what: string) => (error: unknown) => {
  const { code, type, message = '' } = error as { code?: unknown; type?: unknown; message?: string }
  const untrusted = /Last error: Error: ([^;.]*certificate[^;.]*)/i.exec(message)?.[1]
  if (untrusted) throw new Error(`its certificate is not trusted here (${untrusted}): tlsCAFile names the file of its authority`)
  if (code === unauthenticated) throw new Error('its account is not known there, or the password is wrong')
  throw type === 'access-denied' || code === permissionDenied ? new Error(what) : error
}

/** Converts an error into one line that names the setting, without the setting's value, which may be a secret. */
async function faultOf<T>(setting: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code, message, errors } = error as Error & { code?: string | number; errors?: Error[] }
    const text = (message || errors?.[0]?.message || String(error)).trim().replace(/\s*\n\s*/g, ' · ')
    const isTemporary = isTransient(error) || (errors ?? []).some(isTransient)
    throw new ConfigError([`${setting}: ${text}${code && !text.includes(String(code)) ? ` (${code})` : ''}`], { isTemporary })
  }
}

/** Converts errors that an operator can fix, such as missing permissions, into a `ConfigError`. Other errors keep their stack. */
export async function refused<T>({ databaseUrl }: Config, made: Promise<T>): Promise<T> {
  return made.catch((error) => {
    if (!/^(42501|0A000|58P01|25006|28|3D|53|57|08|ECONN)/.test(String(error?.code))) throw error
    return faultOf(databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', () => Promise.reject(error))
  })
}

/** The master key of an embedded store: the configured one, or else the one in the data folder. */
export const readOrCreateMasterKey = async ({ dataDir, masterKey }: Config): Promise<Pick<Stores, 'masterKey' | 'makeKey'>> => ({
  masterKey: masterKey ?? (await readMasterKeyFile(dataDir)),
  makeKey: () => createMasterKeyFile(dataDir),
})

export const keyFile = (dataDir: string): string => path.join(dataDir, 'master.key')

async function readMasterKeyFile(dataDir: string): Promise<Buffer | null> {
  const file = keyFile(dataDir)
  const text = await readFile(file, 'utf8').catch((error: { code?: string }) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new ConfigError([`MASTER_KEY: ${file} does not hold a key of 32 bytes; put the right one back`])
  return key
}

/** Creates the key file at the first start. Without this file no name and no message in the event store can be read. */
export async function createMasterKeyFile(dataDir: string): Promise<Buffer> {
  const known = await readMasterKeyFile(dataDir)
  if (known) return known
  await writeKey(keyFile(dataDir), randomBytes(32))
  return (await readMasterKeyFile(dataDir))!
}

/** Writes a new file and never overwrites an existing key. */
export async function writeKey(file: string, key: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(key.toString('base64'))
    await handle.sync()
  } finally {
    await handle.close()
  }
}
