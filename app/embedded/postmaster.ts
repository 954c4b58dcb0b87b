import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Account } from './binaries.ts'

/** Where it listens: on a port of 127.0.0.1, and on a socket in this folder where there is one. */
export type Listens = { port: number; socket: string | null }
/** A Postgres that runs, whoever started it. */
export type Running = Listens & { pid: number; gone: Promise<void> }

export type Launch = { program: string; cluster: string; account: Account; settings: Record<string, string>; log: (line: string) => void }

/** Of its own session: Ctrl-C on a terminal must not stop Postgres before the writes that are under way. */
export const spawning = (account: Account) => ({
  cwd: '/',
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  detached: process.platform !== 'win32',
  ...account,
})

/** Answers when it takes connections; throws with what it said when it ends before. */
async function launch({ program, cluster, account, settings, log }: Launch, port: number): Promise<Running> {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program, ['-D', cluster, '-p', String(port), ...options], {
    ...spawning(account),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await ready(child, log)
  return { pid: child.pid!, port, socket: settings.unix_socket_directories || null, gone: ended(child) }
}

/** Somebody may take the port between our look and its start; and after a kill -9 its children hold its memory for a moment. */
export async function insist(launching: Launch, port: () => number | Promise<number>): Promise<Running> {
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
    child.once('close', () => reject(new Error(`Postgres ended before it was ready: ${output.trim()}`)))
  })
}

/** The Postgres that an earlier process of ours left behind, if it lives. */
export function left(cluster: string): Omit<Running, 'gone'> | null {
  try {
    const [pid, , , port, socket] = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return lives(Number(pid), cluster) ? { pid: Number(pid), port: Number(port), socket: socket || null } : null
  } catch {
    return null
  }
}

/** A number in a stale pid file may belong to anybody by now: only a process that was started on this cluster counts. */
function lives(pid: number, cluster: string): boolean {
  try {
    process.kill(pid, 0)
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(cluster)
      : spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(cluster)
  } catch {
    return false
  }
}

/** An orphan is no child of ours: nothing tells its end. */
export async function goneByItself(pid: number, cluster: string): Promise<void> {
  while (lives(pid, cluster)) await sleep(100, undefined, { ref: false })
}

/** Waits while it recovers or stops (57P03); false when it does not take our password or says nothing. */
export async function answers(url: string, isAlive: () => boolean, patience = 4000): Promise<boolean> {
  for (let end = Date.now() + patience; isAlive() && Date.now() < end; await sleep(50)) {
    const outcome = await knock(url)
    if (outcome === 'in') return true
    if (outcome === '28P01') return false
    if (outcome === '57P03') end = Date.now() + patience
  }
  return false
}

async function knock(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {}) // it may die while we ask
  try {
    await client.connect()
    await client.query('select 1')
    return 'in'
  } catch (error) {
    return String((error as { code?: unknown }).code)
  } finally {
    // the farewell to a server that says nothing would never end
    void Promise.resolve(client.end()).catch(() => {})
  }
}

/** Fast shutdown, then an immediate one (the next start recovers), then by force. */
export async function halt({ pid, gone }: Running): Promise<void> {
  if (await within(gone, 0)) return
  for (const [signal, patience] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      return await gone // it ended in between
    }
    if (await within(gone, patience)) return
  }
  throw new Error(`Postgres (process ${pid}) cannot be stopped.`)
}

function within(promise: Promise<void>, patience: number): Promise<boolean> {
  const timer = new AbortController()
  const late = sleep(patience, false, { signal: timer.signal }).catch(() => false)
  return Promise.race([promise.then(() => true), late]).finally(() => timer.abort())
}
