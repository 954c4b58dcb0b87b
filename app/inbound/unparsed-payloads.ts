import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import type { Channel, Connection } from '../channels/channel.ts'
import { bounded, type NewJournalEntry, recordInbound } from './inbound-journal.ts'
import type { WakeWorker } from './worker-wakeups.ts'

type Deps = { db: Kysely<Database>; wakeWorker: WakeWorker; logger: Logger; channel?: (provider: string) => Channel | undefined }

/** Wraps a payload that could not be parsed. The worker parses it again; if that fails, it becomes a dead letter. */
export function unread(part: object): Pick<NewJournalEntry, 'externalId' | 'conversation' | 'payload'> {
  const externalId = `unread:${createHash('sha256').update(JSON.stringify(part)).digest('hex')}`
  return { externalId, conversation: externalId, payload: { type: 'unparsed', part } }
}

export async function parseAgain(connection: Connection, part: object, { db, wakeWorker, channel, logger }: Deps): Promise<void> {
  const { id: connectionId, companyId, provider } = connection
  const parsed = await channel?.(provider)?.understand?.(connection, part)
  if (!parsed) throw new Error('Channel adapter cannot parse stored payloads')
  const entries = parsed.map((one) => ({ companyId, connectionId, ...one }))
  await recordInbound(db, bounded(entries, logger))
  wakeWorker(connectionId)
}
