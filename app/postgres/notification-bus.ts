import type { Kysely } from 'kysely'
import pg from 'pg'
import type { Database } from '#projections/database.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { createSerializer } from '../concurrency/keyed-serializer.ts'
import { createBackoff } from '../concurrency/retry.ts'

type Listener = (payload: string) => void
/**
 * Sends a live frame to all users of a company, or to the user `to`, in every process. With a transaction in `on`, it is sent at the
 * commit.
 */
export type Broadcast = (channel: string, frame: { to?: number; [field: string]: unknown }, on?: Kysely<Database>) => Promise<void>
export type NotificationBus = ReturnType<typeof openNotificationBus>

/** Application name of the listening connection. Other processes count these connections to see who uses the database. */
export const presence = 'guiche notifications'

/** One listening connection of this process for any number of channels. `onMissed` reports a reconnect, after which some may be missing. */
export function openNotificationBus(connectionString: string) {
  const listeners = new Map<string, Set<Listener>>()
  const reconnectListeners = new Set<() => void>()
  const closing = new AbortController()
  const firstListen = Promise.withResolvers<void>()
  let client: pg.Client | null = null
  const queries = createSerializer()
  const listen = (channel: string): Promise<unknown> => queries.run(async () => client?.query(`listen ${channel}`))

  async function stayConnected(): Promise<void> {
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
          for (const listener of listeners.get(channel) ?? []) listener(payload)
        })
        if (closing.signal.aborted) return // closed while it connected: end it here, because `close` did not see it
        client = next
        await Promise.all([...listeners.keys()].map(listen))
        wait.reset()
        firstListen.resolve()
        if (!first) for (const onReconnect of reconnectListeners) onReconnect()
        await gone
      } catch {
        // reconnects below
      } finally {
        client = null
        await ignoreErrors(next.end(), 'the session has ended')
      }
      if (!closing.signal.aborted) await wait.pause(closing.signal)
    }
  }
  const connecting = stayConnected()

  return {
    /** Resolves when the connection listens for the first time. */
    listening: firstListen.promise,
    /** `channel` must be a constant of ours, never input, because it is not escaped. */
    on(channel: string, listener: Listener): () => void {
      const known = listeners.get(channel)
      if (known) known.add(listener)
      else {
        listeners.set(channel, new Set([listener]))
        if (client) void ignoreErrors(listen(channel), 'a reconnect listens again')
      }
      return () => listeners.get(channel)?.delete(listener)
    },
    /** Calls back after a reconnect, when notifications may have been missed. */
    onMissed(onReconnect: () => void): () => void {
      reconnectListeners.add(onReconnect)
      return () => reconnectListeners.delete(onReconnect)
    },
    async close(): Promise<void> {
      closing.abort()
      if (client) await ignoreErrors(client.end(), 'the session has ended')
      await connecting
    },
  }
}
