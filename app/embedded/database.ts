import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, programs, unprivileged } from './binaries.ts'
import { owner, ownerPassword, settleOwner } from './owner.ts'
import { found, isFormer, movedToStay, type Place, placed, writeDown } from './place.ts'
import { answers, goneByItself, halt, insist, type Launch, type Listens, left, type Running, spawning } from './postmaster.ts'

export type EmbeddedPostgres = {
  /** As the ordinary role that owns the database. */
  url: string
  superuserUrl: string
  /** Another one when Postgres had to be started again; the url stays. */
  readonly pid: number
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  /** Ours: the cluster stands in `postgres` below it, its password and its lock beside. */
  dataDir: string
  log?: (line: string) => void
  /** Beside or instead of the settings below; tests say { fsync: 'off' }. */
  settings?: Record<string, string>
  /** How long another process may take to let go of the data, in milliseconds. */
  patience?: number
}

const usual = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '256MB',
  jit: 'off',
  log_line_prefix: '',
  log_error_verbosity: 'terse', // a detail quotes the row, with the names and the words in it
  log_min_error_statement: 'panic', // and so does a statement
}

/** Starts the Postgres of a data folder, or takes over the one that a killed process left running there. */
export async function startPostgres({ dataDir, log = () => {}, settings, patience = 8000 }: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const account = unprivileged()
  const place = await settledPlace(dataDir, account, patience, log)
  const { home, own } = place
  if (home !== own) log(`${own} cannot be reached by the account that runs Postgres: the database is kept in ${home}`)
  const release = await lock(home, patience, log)
  try {
    const program = programs(account)
    const cluster = path.join(home, 'postgres')
    const password = passwordOf(home, account)
    const launching: Launch = {
      program: program('postgres'),
      cluster,
      account,
      settings: { ...usual, unix_socket_directories: socketIn(cluster), ...settings },
      log,
    }
    const running = (await adopt(cluster, password, log)) ?? (await begin(launching, program('initdb')))
    writeDown(place)
    const superuserUrl = urlOf('app', password, running)
    const plain = ownerPassword(password)
    try {
      await settleOwner(superuserUrl, plain)
    } catch (error) {
      await halt(running)
      throw error
    }
    return keep(running, launching, { url: urlOf(owner, plain, running), superuserUrl }, release)
  } catch (error) {
    release()
    throw error
  }
}

/** What an earlier release put where the system cleans is brought to where it stays, once nobody uses it. */
async function settledPlace(dataDir: string, account: Account, patience: number, log: (line: string) => void): Promise<Place> {
  const place = placed(dataDir, account)
  if (!isFormer(place)) return place
  const release = await lock(place.home, patience, log)
  try {
    const found = left(path.join(place.home, 'postgres'))
    if (found) await halt({ ...found, gone: goneByItself(found.pid, path.join(place.home, 'postgres')) })
    const moved = movedToStay(place)
    log(`the database was moved from ${place.home} to ${moved.home}, where nothing is cleaned`)
    return moved
  } finally {
    release()
  }
}

/** Whether a folder has a database, and where; makes nothing. */
export const databaseIn = (dataDir: string): Place | null => found(path.resolve(dataDir))

/** The url of the Postgres that another process runs in this folder right now, for tools that only look on. */
export async function runningPostgres(dataDir: string): Promise<string | null> {
  const place = databaseIn(dataDir)
  const cluster = place && path.join(place.home, 'postgres')
  const running = cluster && left(cluster)
  if (!running) return null
  const password = ownerPassword(passwordOf(place.home, null))
  const url = urlOf(owner, password, running)
  return (await answers(url, () => left(cluster) !== null)) ? url : null
}

/** By its socket where it has one: a statement costs a third less by it than by a port (15 µs and 19 µs in the process that asks). */
const urlOf = (role: string, password: string, { port, socket }: Listens) =>
  `postgres://${role}:${password}@127.0.0.1:${port}/postgres${socket === null ? '' : `?host=${encodeURIComponent(socket)}`}`

/** Of the cluster, which nobody else may enter; none where the system, or Postgres' list of them, takes no such path. */
const socketIn = (cluster: string): string =>
  process.platform === 'win32' || /[,"\n]/.test(cluster) || Buffer.byteLength(`${cluster}/.s.PGSQL.65535`) > 103 ? '' : cluster

/** SQLite holds a lock of the operating system, which no crash leaves behind. */
async function lock(home: string, patience: number, log: (line: string) => void): Promise<() => void> {
  const file = path.join(home, 'postgres.lock')
  const db = new DatabaseSync(file, { timeout: 0 })
  chmodSync(file, 0o600) // whoever may read it could hold it
  for (const end = Date.now() + patience; ; await sleep(50)) {
    try {
      db.exec('begin exclusive')
      return () => db.isOpen && db.close()
    } catch (error) {
      const locked = String(error).includes('locked')
      if (!locked || Date.now() >= end) {
        db.close()
        if (!locked) throw error
        throw new Error(`Another process runs the database in ${home}: stop it first, or give this one a DATA_DIR of its own.`)
      }
      if (end - Date.now() > patience - 50) log(`waits for another process to let go of ${home}`)
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

/** Takes over a Postgres that lost its parent; one that does not answer us is stopped. */
async function adopt(cluster: string, password: string, log: (line: string) => void): Promise<Running | null> {
  const found = left(cluster)
  if (found === null) return null
  const running = { ...found, gone: goneByItself(found.pid, cluster) }
  if (await answers(urlOf('app', password, found), () => left(cluster)?.pid === found.pid)) {
    log(`took over the Postgres that was left running (process ${found.pid})`)
    return running
  }
  log(`stops a Postgres that was left running and does not answer (process ${found.pid})`)
  await halt(running)
  return null
}

async function begin(launching: Launch, initdb: string): Promise<Running> {
  if (!existsSync(path.join(launching.cluster, 'PG_VERSION'))) create(launching, initdb)
  dropPid(launching)
  return insist(launching, freePort)
}

/** Its number may be another process's by now, or of a dead one that nobody reaped; what still uses the data is found by its shared memory. */
function dropPid({ cluster }: Launch): void {
  if (process.platform === 'linux') rmSync(path.join(cluster, 'postmaster.pid'), { force: true })
}

/** Made under another name and renamed: what an interrupted first start left is never taken for a cluster. */
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

/** Starts it again, on the same port, whenever it ends without our word; stops it when we end without a word. */
function keep(
  first: Running,
  launching: Launch,
  urls: Pick<EmbeddedPostgres, 'url' | 'superuserUrl'>,
  release: () => void,
): EmbeddedPostgres {
  let running = first
  let again: Promise<void> = Promise.resolve()
  let stopping: Promise<void> | undefined
  const mind = (current: Running) => void current.gone.then(() => stopping ?? restart()).catch((error) => launching.log(String(error)))
  const restart = () => {
    launching.log('Postgres ended by itself and is started again')
    again = untilItStands().then((next) => {
      if (!next) return
      running = next
      mind(next)
    })
    return again
  }
  /** Nobody else would start it: it is tried for as long as we run. */
  async function untilItStands(): Promise<Running | null> {
    for (let pauseMs = 500; stopping === undefined; pauseMs = Math.min(pauseMs * 2, 10_000)) {
      try {
        dropPid(launching)
        return await insist(launching, () => first.port)
      } catch (error) {
        launching.log(`Postgres could not be started again, and is tried once more in ${pauseMs / 1000} s: ${String(error)}`)
        await sleep(pauseMs, undefined, { ref: false })
      }
    }
    return null
  }
  const leave = () => {
    try {
      process.kill(running.pid, 'SIGINT')
    } catch {} // it is gone already
  }
  const end = async () => {
    await again.catch(() => {})
    await halt(running)
    process.off('exit', leave)
    release()
  }
  process.on('exit', leave)
  mind(first)
  return {
    ...urls,
    get pid() {
      return running.pid
    },
    stop: () => (stopping ??= end()),
  }
}
