import pg from 'pg'
import { createBackoff } from '../concurrency/retry.ts'

type Heard = (line: string) => void
export type NotificationBus = ReturnType<typeof openNotificationBus>

/** How a process that has a store open is known to the others: by the connection that listens. */
export const presence = 'guiche ears'

/** One connection that listens for this process, on any number of channels; who missed something while it was gone is told. */
export function openNotificationBus(connectionString: string) {
  const listeners = new Map<string, Set<Heard>>()
  const missed = new Set<() => void>()
  const closing = new AbortController()
  const heard = Promise.withResolvers<void>()
  let client: pg.Client | null = null
  let asked: Promise<unknown> = Promise.resolve()
  function listen(channel: string): Promise<unknown> {
    const listening = asked.then(() => client?.query(`listen ${channel}`)) // one after another
    asked = listening.catch(() => undefined)
    return listening
  }

  async function stay(): Promise<void> {
    const wait = createBackoff(100, 5000)
    for (let first = true; !closing.signal.aborted; first = false) {
      const next = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5000, application_name: presence })
      const gone = new Promise<void>((resolve) => {
        next.on('error', () => resolve())
        next.on('end', resolve)
      })
      try {
        await next.connect()
        next.on('notification', ({ channel, payload = '' }) => {
          for (const heard of listeners.get(channel) ?? []) heard(payload)
        })
        if (closing.signal.aborted) return // closed while it connected: nobody would end it any more
        client = next
        await Promise.all([...listeners.keys()].map(listen))
        wait.reset()
        heard.resolve()
        if (!first) for (const tell of missed) tell()
        await gone
      } catch {
        // it comes back below
      } finally {
        client = null
        await next.end().catch(() => undefined)
      }
      if (!closing.signal.aborted) await wait.pause(closing.signal)
    }
  }
  const staying = stay()

  return {
    /** Resolved once it listens for the first time. */
    listening: heard.promise,
    /** `channel` is one of our own names, never input. */
    on(channel: string, heard: Heard): () => void {
      const known = listeners.get(channel)
      if (known) known.add(heard)
      else {
        listeners.set(channel, new Set([heard]))
        if (client) void listen(channel).catch(() => undefined)
      }
      return () => listeners.get(channel)?.delete(heard)
    },
    /** Called when the connection is back after a gap. */
    onMissed(tell: () => void): () => void {
      missed.add(tell)
      return () => missed.delete(tell)
    },
    async close(): Promise<void> {
      closing.abort()
      await client?.end().catch(() => undefined)
      await staying
    },
  }
}
