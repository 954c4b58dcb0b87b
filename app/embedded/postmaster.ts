import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { Unavailable } from '../event-store/event-store.ts'
import type { Account } from './binaries.ts'

/** Postgres listens on a port of 127.0.0.1 and, if `socket` is set, on a Unix socket in that folder. */
export type Listens = { port: number; socket: string | null }
/** A running Postgres, started by this process or an earlier one. */
export type Running = Listens & { pid: number; gone: Promise<void> }

export type Launch = { program: string; cluster: string; account: Account; settings: Record<string, string>; log: (line: string) => void }

/** Postgres runs in its own session, so that Ctrl-C in a terminal does not stop it before our last writes. */
export const spawning = (account: Account) => ({
  cwd: '/',
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  detached: process.platform !== 'win32',
  ...account,
})

/** Resolves when Postgres accepts connections. Throws with its output if it ends before that. */
async function launch({ program, cluster, account, settings, log }: Launch, port: number): Promise<Running> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program, ['-D', cluster, '-p', String(port), ...options], {
    ...spawning(account),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await ready(child, log)
  return { pid: child.pid!, port, socket: settings.unix_socket_directories || null, gone: ended(child) }
}

/** Retries, because another process may take the port first, and after a kill -9 child processes keep the shared memory for a moment. */
export async function launchWithRetry(launching: Launch, port: () => number | Promise<number>): Promise<Running> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await launch(launching, await port())
    } catch (error) {
      if (attempt === 40 || !/TCP\/IP sockets|shared memory block/.test(String(error))) throw error
      await sleep(100)
    }
  }
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

function ready(child: ChildProcess, log: (line: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    let line = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      const lines = (line + text).split('\n')
      line = lines.pop() ?? ''
      for (const complete of lines) {
        log(complete)
        if (complete.includes('ready to accept connections')) resolve()
      }
      output = (output + text).slice(-2000)
    })
    child.once('error', reject)
    child.once('close', () => reject(new Unavailable(`Postgres ended before it was ready: ${output.trim()}`)))
  })
}

/** The Postgres that an earlier process left running; null if there is none. */
export function findLeftover(cluster: string): Omit<Running, 'gone'> | null {
  try {
    const [pid, , , port, socket] = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return isRunning(Number(pid), cluster) ? { pid: Number(pid), port: Number(port), socket: socket || null } : null
  } catch {
    return null
  }
}

/** True if the process runs this cluster. The number in a stale pid file may belong to another program. */
function isRunning(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0)
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
      : spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(cluster)
  } catch {
    return false
  }
}

/** Polls for the end of a process that is not our child and therefore sends no exit event. */
export async function waitForExit(pid: number, cluster: string): Promise<void> {
  while (isRunning(pid, cluster)) await sleep(100, undefined, { ref: false })
}

/** Waits while Postgres recovers or stops (57P03). Returns false if it rejects the password or does not answer. */
export async function acceptsConnections(url: string, isAlive: () => boolean, timeoutMs = 4000): Promise<boolean> {
  for (let end = Date.now() + timeoutMs; isAlive() && Date.now() < end; await sleep(50)) {
    const outcome = await tryConnect(url)
    if (outcome === 'in') return true
    if (outcome === '28P01') return false
    if (outcome === '57P03') end = Date.now() + timeoutMs
  }
  return false
}

async function tryConnect(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {}) // the server may end during the query
  try {
    await client.connect()
    await client.query('select 1')
    return 'in'
  } catch (error) {
    return String((error as { code?: unknown }).code)
  } finally {
    // do not wait: closing a connection to a server that hangs never ends
    void ignoreErrors(client.end(), 'the server is checked again')
  }
}

/** Fast shutdown, then an immediate one (the next start recovers), then by force. */
export async function halt({ pid, gone }: Running): Promise<void> {
  if (await settlesWithin(gone, 0)) return
  for (const [signal, timeoutMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return await gone // it has ended meanwhile
    }
    if (await settlesWithin(gone, timeoutMs)) return
  }
  throw new Unavailable(`Postgres (process ${pid}) cannot be stopped.`)
}

function settlesWithin(promise: Promise<void>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController()
  const late = sleep(timeoutMs, false, { signal: timer.signal }).catch(() => false)
  return Promise.race([promise.then(() => true), late]).finally(() => timer.abort())
}
