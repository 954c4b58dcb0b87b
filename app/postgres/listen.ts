import pg from 'pg'
import { createBackoff, repeatUntilAborted } from '#app/concurrency/retry.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'

/** Listens to a channel on its own connection and reconnects by itself. Callers also poll, because notifications in a gap are lost. */
export async function listen(connectionString: string, channel: string, onNotification: () => void, signal: AbortSignal): Promise<void> {
  const wait = createBackoff(100, 5000)
  const listenOnce = async (): Promise<void> => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5000, keepAlive: true, query_timeout: 5000 })
    const gone = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', resolve)
    })
    const end = () => ignoreErrors(client.end(), 'the session has ended')
    const stop = () => void end()
    try {
      await client.connect()
      client.on('notification', onNotification)
      await client.query(`listen ${channel}`)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) return
      wait.reset()
      onNotification()
      await gone
      throw new Error('Connection ended')
    } finally {
      signal.removeEventListener('abort', stop)
      await end()
    }
  }
  await repeatUntilAborted(listenOnce, { pause: (_, stop) => wait.pause(stop) }, signal)
}
