import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { demoPassword } from '#app/demo/accounts.ts'
import { bundled } from './command.ts'
import { stallMs } from './wait.ts'

/** A server process as an operator starts it, with ways to end it. */
export type Running = { url: string; pid: number; kill: () => Promise<void>; stop: () => Promise<number | null>; output: () => string }

const main = new URL('../../app/main.ts', import.meta.url).pathname
/** Module hooks apply to the sources only, so a process with `--import` runs them. */
const mainFor = ({ NODE_OPTIONS }: Record<string, string>) => (NODE_OPTIONS?.includes('--import') ? main : bundled('main.ts'))

/**
 * Processes still running. They are killed at exit, because leftovers of a failed test would slow down all later
 * ones.
 */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The environment of every server that a test starts. */
export const testEnvironment = {
  PORT: '0',
  LOG_LEVEL: 'warn',
  USER_CALLS_PER_SECOND: '0', // one user of a test represents many
  WHATSAPP_URL: 'off',
  WHATSAPP_VERSION_URL: 'off',
}

/**
 * For tests that need the port before the server listens, or again after it stopped. The port is below the range from
 * which systems take the ports of outgoing connections (from 32768), so that none of them takes it meanwhile.
 */
export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const port = randomInt(10_000, 32_768)
    const server = createServer()
      .once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(freePort()) : reject(error)))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })

/** Starts `node app/main.ts` on a free port, or another file that starts it. Resolves when it prints its address. */
export async function startProcess(env: Record<string, string>, file = mainFor(env)): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, ['--max-semi-space-size=8', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      MALLOC_ARENA_MAX: '2',
      ...testEnvironment,
      PORT: String(await freePort()), // a test may start it again on the same port
      ...env,
    },
  })
  let output = ''
  running.add(child)
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  void exited.then(() => running.delete(child))
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the server prints no address:\n${output}`)), 2 * stallMs)
    const hear = (text: string) => {
      output = (output + text).slice(-20_000)
      const found = / at (http:\/\/[\d.]+:\d+) after/.exec(output)
      if (found) {
        clearTimeout(timer)
        resolve(found[1]!)
      }
    }
    child.stdout!.setEncoding('utf8').on('data', hear)
    child.stderr!.setEncoding('utf8').on('data', hear)
    void exited.then((code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
  })
  return {
    ...{ url, pid: child.pid!, output: () => output },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

/** Whether the process still runs. */
export function lives({ pid }: Running): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export type Answer = { status: number; body: any }
export type Client = (method: string, path: string, body?: unknown, commandId?: string) => Promise<Answer>

/** Sends requests to one of several processes; `where` may change as they come and go. */
export function client(where: () => string, token: string): Client {
  return async (method, path, body, commandId = crypto.randomUUID()) => {
    const response = await fetch(`${where()}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-command-id': commandId,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(stallMs),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : null }
  }
}

export async function signIn(
  where: () => string,
  email: string,
): Promise<{ token: string; user: { id: number; name: string; companyId: number } }> {
  const answer = await client(where, '')('POST', '/auth/login', { email, password: demoPassword })
  if (answer.status !== 200) throw new Error(`${email} cannot sign in: ${JSON.stringify(answer)}`)
  return answer.body
}

/** A client that signs in again whenever its access token has expired. */
export async function lastingClient(where: () => string, email: string) {
  const first = await signIn(where, email)
  let signing = Promise.resolve(first.token)
  const ask: Client = async (method, path, body, commandId = crypto.randomUUID()) => {
    const mine = signing
    const answer = await client(where, await mine)(method, path, body, commandId)
    if (answer.body?.error !== 'ERR_SESSION_EXPIRED') return answer
    if (signing === mine) {
      signing = signIn(where, email).then(({ token }) => token)
      signing.catch(() => (signing = mine)) // the server was down; the next call tries again
    }
    return client(where, await signing)(method, path, body, commandId)
  }
  return { ask, user: first.user }
}
