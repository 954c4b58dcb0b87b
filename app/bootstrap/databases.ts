import { randomBytes, randomUUID } from 'node:crypto'
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { chmod, open, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import { probe } from '../blobs/s3.ts'
import { withTimeout } from '../concurrency/retry.ts'
import { type Config, ConfigError, parseConfig, placesIn, unknownVariables } from '../config.ts'
import { startPostgres } from '../embedded/database.ts'
import { withoutValue } from '../event-store/error-serializer.ts'
import { Conflict, type EventStore } from '../event-store/event-store.ts'

export type Stores = {
  connectionString: string
  masterKey: Buffer | null
  /** Only for a store in which nothing is sealed yet. */
  makeKey?: () => Promise<Buffer>
  close: () => Promise<void>
}

/** What Postgres says of its daily business; the rest an operator should see. */
const daily = /^LOG:/

const timeoutMs = 10_000

/** Where the data are: the Postgres that is named, or one of our own; and the master key that opens what is sealed. */
export async function startDatabases(config: Config, logger: Logger): Promise<Stores> {
  const { dataDir, databaseUrl, masterKey } = config
  for (const name of ['media', 'uploads']) await shut(path.join(dataDir, name))
  if (databaseUrl) return { connectionString: databaseUrl, masterKey, close: async () => undefined }
  const log = (line: string) => {
    if (line.startsWith('\t')) return // more lines of a value, or of a statement
    logger[daily.test(line) ? 'debug' : 'warn']({ from: 'postgres' }, withoutValue(line))
  }
  const postgres = await faultOf('DATA_DIR', () => startPostgres({ dataDir, log }))
  const close = () => postgres.stop()
  try {
    return { connectionString: postgres.url, ...(await faultOf('DATA_DIR', () => ourKey(config))), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** An earlier release made folders that everybody may read. */
async function shut(folder: string): Promise<void> {
  const { mode, uid } = (await stat(folder).catch(() => null)) ?? { mode: 0, uid: -1 }
  if ((mode & 0o007) !== 0 && uid === process.getuid?.()) await chmod(folder, mode & 0o770)
}

/** What stands in the way of a start and can be seen before anything is made: the port, the folder, the file of anchors. */
async function preflightChecks({ host, port, dataDir, anchorFile }: Config): Promise<string[]> {
  return [...(await portFaults(host, port)), ...folderFaults(dataDir), ...(anchorFile ? anchorFaults(anchorFile) : [])]
}

function portFaults(host: string, port: number): Promise<string[]> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE') resolve([`PORT: ${port} on ${host} is in use by another process`])
      else if (code === 'EACCES') resolve([`PORT: ${port} may not be opened by this user`])
      else resolve([`HOST: ${host} is no address of this machine (${code})`])
    })
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve([])))
  })
}

function folderFaults(dataDir: string): string[] {
  let place = dataDir
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place)
  if (!statSync(place).isDirectory()) return [`DATA_DIR: ${place} is no folder`]
  try {
    rmdirSync(mkdtempSync(path.join(place, '.guiche-'))) // rights alone do not say it: root has them below /proc too
    return []
  } catch (error) {
    return [`DATA_DIR: ${place} cannot be written by this user (${(error as NodeJS.ErrnoException).code})`]
  }
}

function anchorFaults(file: string): string[] {
  try {
    if (existsSync(file) && !statSync(file).isFile()) return [`ANCHOR_FILE: ${file} is no file`]
    accessSync(existsSync(file) ? file : path.dirname(file), constants.W_OK)
    return []
  } catch (error) {
    return [`ANCHOR_FILE: ${file} cannot be written by this user (${(error as NodeJS.ErrnoException).code})`]
  }
}

/** The settings of a process that is to serve; every fault that can be seen before anything is made is said at once. */
export async function loadConfig(around: Record<string, string | undefined>): Promise<Config> {
  const faults: string[] = []
  const noted = (error: unknown) => {
    if (!(error instanceof ConfigError)) throw error
    faults.push(...error.faults)
    return null
  }
  let config: Config | null = null
  try {
    config = parseConfig(around)
  } catch (error) {
    noted(error)
  }
  faults.push(...(await preflightChecks(config ?? placesIn(around))))
  if (config) await checkConnections(config).catch(noted)
  if (config && faults.length === 0) return config
  throw new ConfigError([...faults, ...unknownVariables(around)])
}

/** Asks every store that is named whether it takes us; all that do not are said at once. */
export async function checkConnections({ databaseUrl, redisUrl, eventstoreUrl, s3 }: Config): Promise<void> {
  const asked = [
    ...(databaseUrl ? [faultOf('DATABASE_URL', () => knockPostgres(databaseUrl))] : []),
    ...(redisUrl ? [faultOf('REDIS_URL', () => knockRedis(redisUrl))] : []),
    ...(eventstoreUrl ? [faultOf('EVENTSTORE_URL', () => knockEventStore(eventstoreUrl))] : []),
    ...(s3 ? [faultOf('S3_ENDPOINT', () => probe(s3))] : []),
  ]
  const results = await Promise.allSettled(asked)
  const faults = results.flatMap((one) => (one.status === 'rejected' ? (one.reason as ConfigError).faults : []))
  if (faults.length > 0) throw new ConfigError(faults)
}

async function knockPostgres(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int / 10000 as version`)
    if (rows[0]!.version < 14) throw new Error(`Postgres ${rows[0]!.version} is too old; 14 or newer is needed`)
  } finally {
    void Promise.resolve(client.end()).catch(() => undefined) // a farewell to a server that says nothing would never end
  }
}

async function knockRedis(url: string): Promise<void> {
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

async function knockEventStore(url: string): Promise<void> {
  const log = (await import('../event-store/eventstoredb.ts')).createEsdbEventStore(url)
  try {
    await withTimeout(log.readHeadPosition(), timeoutMs, 'an answer').catch(deniedAs('its account may not read $all'))
    await withTimeout(mayAppend(log), timeoutMs, 'an answer').catch(deniedAs('its account may not append'))
  } finally {
    await log.close()
  }
}

/** Offers what no stream can take, so that nothing is written: rights are looked at before the place. */
async function mayAppend(eventStore: EventStore): Promise<void> {
  const nowhere = 2n ** 62n
  await eventStore.append('knock-0', nowhere, [{ id: randomUUID(), type: 'Knocked', data: {}, meta: {} }]).catch((error) => {
    if (!(error instanceof Conflict)) throw error
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

/** What a store or a folder says no with, as one line of the setting that named it; without the setting's value, which may be a secret. */
async function faultOf<T>(setting: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code, message, errors } = error as Error & { code?: string | number; errors?: Error[] }
    const text = (message || errors?.[0]?.message || String(error)).trim().replace(/\s*\n\s*/g, ' · ')
    throw new ConfigError([`${setting}: ${text}${code && !text.includes(String(code)) ? ` (${code})` : ''}`])
  }
}

/** Rights that are missing and tools that are not installed are for the operator to put right; any other failure is ours, and keeps its stack. */
export async function refused<T>({ databaseUrl }: Config, made: Promise<T>): Promise<T> {
  return made.catch((error) => {
    if (!/^(42501|0A000|58P01|25006|28|3D|53|57|08|ECONN)/.test(String(error?.code))) throw error
    return faultOf(databaseUrl ? 'DATABASE_URL' : 'DATA_DIR', () => Promise.reject(error))
  })
}

/** The key of an embedded store: the one that is named, else the one kept beside it. */
export const ourKey = async ({ dataDir, masterKey }: Config): Promise<Pick<Stores, 'masterKey' | 'makeKey'>> => ({
  masterKey: masterKey ?? (await keptKey(dataDir)),
  makeKey: () => ownKey(dataDir),
})

export const keyFile = (dataDir: string): string => path.join(dataDir, 'master.key')

async function keptKey(dataDir: string): Promise<Buffer | null> {
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

/** Made at the first start; whoever loses this file loses every name and message in the log. */
export async function ownKey(dataDir: string): Promise<Buffer> {
  const known = await keptKey(dataDir)
  if (known) return known
  await writeKey(keyFile(dataDir), randomBytes(32))
  return (await keptKey(dataDir))!
}

/** A new file, or none at all; never over another key. */
export async function writeKey(file: string, key: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(key.toString('base64'))
    await handle.sync()
  } finally {
    await handle.close()
  }
}
