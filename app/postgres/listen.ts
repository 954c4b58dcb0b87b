import pg from 'pg'
import { createBackoff } from '#app/concurrency/retry.ts'

/** Hears a channel on a connection of its own and comes back by itself; whoever listens also polls, for what was said in between. */
export async function listen(connectionString: string, channel: string, heard: () => void, signal: AbortSignal): Promise<void> {
  const wait = createBackoff(100, 5000)
  while (!signal.aborted) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, keepAlive: true, query_timeout: 5000 })
    const gone = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', resolve)
    })
    const end = () => client.end().catch(() => undefined)
    const stop = () => void end()
    try {
      await client.connect()
      client.on('notification', heard)
      await client.query(`listen ${channel}`)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) break
      wait.reset()
      heard()
      await gone
    } catch {
      // the poll goes on meanwhile
    } finally {
      signal.removeEventListener('abort', stop)
      await end()
    }
    if (!signal.aborted) await wait.pause(signal)
  }
}
