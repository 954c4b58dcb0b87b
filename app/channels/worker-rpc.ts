import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import { withTimeout } from '../concurrency/retry.ts'
import type { NotificationBus } from '../postgres/notification-bus.ts'
import type { Channel, LeasedConnection } from './channel.ts'

type Deps = { db: Kysely<Database>; notifications: NotificationBus }
type Question = { id: string; connectionId: number; number: string }
/** Undefined: the worker could not find out. */
type Answer = { id: string; there?: boolean | null | undefined }

const questionsChannel = 'questions'
const answersChannel = 'answers'
const timeoutMs = 8000

/**
 * Sends a question to the worker that leases the connection, in any process, and waits for its answer. Nothing is stored. Resolves with
 * undefined if no worker answers or the worker could not find out.
 */
export function openQuestions({ db, notifications }: Deps) {
  const waiting = new Map<string, (answer: Answer) => void>()
  notifications.on(answersChannel, (text) => {
    const answer: Answer = JSON.parse(text)
    waiting.get(answer.id)?.(answer)
  })
  return {
    /** Whether a number is registered on the network. Null: the network does not answer that. */
    async isThere(connectionId: number, number: string): Promise<boolean | null | undefined> {
      const id = randomUUID()
      const { promise, resolve } = Promise.withResolvers<Answer>()
      waiting.set(id, resolve)
      const over = new AbortController()
      const late = sleep(timeoutMs, { id }, { signal: over.signal }).catch(() => ({ id }))
      try {
        await sql`select pg_notify(${questionsChannel}, ${JSON.stringify({ id, connectionId, number } satisfies Question)})`.execute(db)
        return (await Promise.race<Answer>([promise, late])).there
      } finally {
        over.abort()
        waiting.delete(id)
      }
    },
  }
}

/** Answers questions about a connection while this process leases it. */
export async function serveWorkerRpc(
  leased: LeasedConnection,
  { db, notifications, channel }: Deps & { channel: (provider: string) => Channel | undefined },
  signal: AbortSignal,
): Promise<void> {
  const connectionId = leased.connection.id
  const off = notifications.on(questionsChannel, (text) => {
    const question: Question = JSON.parse(text)
    if (question.connectionId === connectionId) void answer(question)
  })
  async function answer({ id, number }: Question): Promise<void> {
    const lookup = Promise.resolve(channel(leased.connection.provider)?.isRegistered?.({ id: connectionId }, number) ?? null)
    const there = await ignoreErrors(withTimeout(lookup, timeoutMs, 'Number lookup'), 'the answer is unknown')
    const answer = JSON.stringify({ id, there } satisfies Answer)
    await ignoreErrors(sql`select pg_notify(${answersChannel}, ${answer})`.execute(db), 'the caller stops waiting')
  }
  if (!signal.aborted) await once(signal, 'abort')
  off()
}
