import { spawn, spawnSync } from 'node:child_process'
import { freePort } from './processes.ts'

/** The reason why there is no Redis here, or null. */
export const noRedis = spawnSync('redis-server', ['--version']).status === 0 ? null : 'redis-server is not installed'

/** A separate Redis without files, on a free port or the given one. */
export async function startRedis(at?: number): Promise<{ url: string; port: number; stop: () => Promise<void> }> {
  const port = at ?? (await freePort())
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code} before it was ready on port ${port}`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => /Ready to accept connections/.test(text) && resolve())
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
