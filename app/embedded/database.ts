import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { Unavailable } from '../event-store/event-store.ts'
import { type Account, programs, unprivileged } from './binaries.ts'
import { owner, ownerPassword, settleOwner } from './owner.ts'
import { type EmbeddedPlace, found, placed, recordPlace } from './place.ts'
import {
  acceptsConnections,
  findLeftover,
  halt,
  type Launch,
  type Listens,
  launchWithRetry,
  type Running,
  spawning,
  waitForExit,
} from './postmaster.ts'

export type EmbeddedPostgres = {
  /** URL for the ordinary role that owns the database. */
  url: string
  superuserUrl: string
  /** The process id changes when Postgres is restarted; the URL stays. */
  readonly pid: number
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** The data folder. It contains the cluster in `postgres`, its password file and its lock file. */
  dataDir: string
  log?: (line: string) => void
  /** Postgres settings in addition to the defaults; tests use { fsync: 'off' }. */
  settings?: Record<string, string>
  /** How long to wait for another process to release the data, in milliseconds. */
  lockTimeoutMs?: number
}

const defaultSettings = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '256MB',
  jit: 'off',
  log_line_prefix: '',
  log_error_verbosity: 'terse', // details quote rows, which contain names and messages
  log_min_error_statement: 'panic', // statements contain them too
}

/** Starts the Postgres of a data folder, or takes over one that a killed process left running. */
export async function startPostgres({
  dataDir,
  log = () => {},
  settings,
  lockTimeoutMs = 8000,
}: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const account = unprivileged()
  const place = placed(dataDir, account)
  const { home, own } = place
  if (home !== own) log(`The account that runs Postgres cannot enter ${own}: the database is kept in ${home}`)
  const release = await lock(home, lockTimeoutMs, log)
  try {
    const program = programs(account)
    const cluster = path.join(home, 'postgres')
    const password = passwordOf(home, account)
    const launching: Launch = {
      program: program('postgres'),
      cluster,
      account,
      settings: { ...defaultSettings, unix_socket_directories: socketIn(cluster), ...settings },
      log,
    }
    const running = (await adopt(cluster, password, log)) ?? (await startCluster(launching, program('initdb')))
    recordPlace(place)
    const superuserUrl = urlOf('app', password, running)
    const plain = ownerPassword(password)
    try {
      await settleOwner(superuserUrl, plain)
    } catch (error) {
      await halt(running)
      throw error
    }
    return supervise(running, launching, { url: urlOf(owner, plain, running), superuserUrl }, release)
  } catch (error) {
    release()
    throw error
  }
}

/** Where the database of a folder is; null if it has none. Creates nothing. */
export const databaseIn = (dataDir: string): EmbeddedPlace | null => found(path.resolve(dataDir))

/** The URL of the Postgres that another process runs in this folder, for command-line tools. */
export async function runningPostgres(dataDir: string): Promise<string | null> {
  const place = databaseIn(dataDir)
  const cluster = place && path.join(place.home, 'postgres')
  const running = cluster && findLeftover(cluster)
  if (!running) return null
  const password = ownerPassword(passwordOf(place.home, null))
  const url = urlOf(owner, password, running)
  return (await acceptsConnections(url, () => findLeftover(cluster) !== null)) ? url : null
}

/** Uses the Unix socket if there is one: a statement costs the client 15 µs by socket and 19 µs by port. */
const urlOf = (role: string, password: string, { port, socket }: Listens) =>
  `postgres://${role}:${password}@127.0.0.1:${port}/postgres${socket === null ? '' : `?host=${encodeURIComponent(socket)}`}`

/** The socket folder: the cluster, which other accounts cannot enter. None if the system or Postgres does not accept the path. */
const socketIn = (cluster: string): string =>
  process.platform === 'win32' || /[,"\n]/.test(cluster) || Buffer.byteLength(`${cluster}/.s.PGSQL.65535`) > 103 ? '' : cluster

/** Locks the folder through SQLite, whose operating system lock ends with the process. */
async function lock(home: string, lockTimeoutMs: number, log: (line: string) => void): Promise<() => void> {
  const file = path.join(home, 'postgres.lock')
  const db = new DatabaseSync(file, { timeout: 0 })
  chmodSync(file, 0o600) // an account that can read the file could hold the lock
  for (const end = Date.now() + lockTimeoutMs; ; await sleep(50)) {
    try {
      db.exec('begin exclusive')
      return () => db.isOpen && db.close()
    } catch (error) {
      const locked = String(error).includes('locked')
      if (!locked || Date.now() >= end) {
        db.close()
        if (!locked) throw error
        throw new Unavailable(`Another process runs the database in ${home}: stop it first, or give this one a DATA_DIR of its own.`)
      }
      if (end - Date.now() > lockTimeoutMs - 50) log(`Waiting for another process to release ${home}`)
    }
  }
}

function passwordOf(home: string, account: Account): string {
  const file = path.join(home, 'postgres.password')
  if (!existsSync(file)) {
    if (existsSync(path.join(home, 'postgres', 'PG_VERSION')))
      throw new Error(`${file} is missing: the database beside it cannot be opened.`)
    writeFileSync(`${file}.new`, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 })
    if (account !== null) chownSync(`${file}.new`, account.uid, account.gid) // initdb reads it
    renameSync(`${file}.new`, file)
  }
  return readFileSync(file, 'utf8').trim()
}

/** Takes over a Postgres whose parent process has ended, or stops it if it does not answer. */
async function adopt(cluster: string, password: string, log: (line: string) => void): Promise<Running | null> {
  const found = findLeftover(cluster)
  if (found === null) return null
  const running = { ...found, gone: waitForExit(found.pid, cluster) }
  if (await acceptsConnections(urlOf('app', password, found), () => findLeftover(cluster)?.pid === found.pid)) {
    log(`Took over the running Postgres (process ${found.pid})`)
    return running
  }
  log(`Stopping a running Postgres that does not answer (process ${found.pid})`)
  await halt(running)
  return null
}

async function startCluster(launching: Launch, initdb: string): Promise<Running> {
  if (!existsSync(path.join(launching.cluster, 'PG_VERSION'))) create(launching, initdb)
  dropPid(launching)
  return launchWithRetry(launching, freePort)
}

/** Removes the pid file: its number may belong to another process or a zombie. Postgres detects real users of the data by shared memory. */
function dropPid({ cluster }: Launch): void {
  if (process.platform === 'linux') rmSync(path.join(cluster, 'postmaster.pid'), { force: true })
}

/** Creates the cluster under a temporary name and renames it, so that an interrupted first start leaves no partial cluster. */
function create({ cluster, account, settings }: Launch, initdb: string) {
  const draft = `${cluster}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (account !== null) chownSync(draft, account.uid, account.gid)
  const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '-T', 'portuguese']
  const access = ['-U', 'app', '--auth=scram-sha-256', `--pwfile=${cluster}.password`]
  const sync = settings.fsync === 'off' ? ['--no-sync'] : []
  const { status, error, stdout, stderr } = spawnSync(initdb, ['-D', draft, ...locale, ...access, ...sync], {
    ...spawning(account),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Postgres could not be set up: ${error?.message ?? `${stdout}${stderr}`.trim()}`)
  renameSync(draft, cluster)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** Restarts Postgres on the same port when it ends unexpectedly, and stops it when this process exits. */
function supervise(
  first: Running,
  launching: Launch,
  urls: Pick<EmbeddedPostgres, 'url' | 'superuserUrl'>,
  release: () => void,
): EmbeddedPostgres {
  let running = first
  let again: Promise<void> = Promise.resolve()
  let stopping: Promise<void> | undefined
  const watch = (current: Running) => void current.gone.then(() => stopping ?? restart()).catch((error) => launching.log(String(error)))
  const restart = () => {
    launching.log('Postgres ended unexpectedly; restarting')
    again = restartUntilRunning().then((next) => {
      if (!next) return
      running = next
      watch(next)
    })
    return again
  }
  /** Retries as long as this process runs, because no other process would start Postgres. */
  async function restartUntilRunning(): Promise<Running | null> {
    for (let pauseMs = 500; stopping === undefined; pauseMs = Math.min(pauseMs * 2, 10_000)) {
      try {
        dropPid(launching)
        return await launchWithRetry(launching, () => first.port)
      } catch (error) {
        launching.log(`Postgres restart failed; retrying in ${pauseMs / 1000} s: ${String(error)}`)
        await sleep(pauseMs, undefined, { ref: false })
      }
    }
    return null
  }
  const stopOnExit = () => {
    try {
      process.kill(running.pid, 'SIGINT')
    } catch {} // it has ended already
  }
  const end = async () => {
    await ignoreErrors(again, 'the failed restart is logged')
    await halt(running)
    process.off('exit', stopOnExit)
    release()
  }
  process.on('exit', stopOnExit)
  watch(first)
  return {
    ...urls,
    get pid() {
      return running.pid
    },
    stop: () => (stopping ??= end()),
  }
}
