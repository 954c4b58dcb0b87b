import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '#projections/database.ts'
import type { Channel, Connection } from '../channels/channel.ts'
import { bounded, type Entry, recordInbound, wakeWorker } from './inbound-journal.ts'

type Deps = { db: Kysely<Database>; logger: Logger; channel?: (provider: string) => Channel | undefined }

/** What a provider told and nobody here understood, as it came: it is read anew, and set aside whole where it stays so. */
export function unread(part: object): Pick<Entry, 'externalId' | 'conversation' | 'heard'> {
  const externalId = `unread:${createHash('sha256').update(JSON.stringify(part)).digest('hex')}`
  return { externalId, conversation: externalId, heard: { type: 'unread', part } }
}

export async function readAnew(connection: Connection, part: object, { db, channel, logger }: Deps): Promise<void> {
  const { id: connectionId, companyId, provider } = connection
  const parsed = await channel?.(provider)?.understand?.(connection, part)
  if (!parsed) throw new Error('its channel reads nothing anew')
  const entries = parsed.map((one) => ({ companyId, connectionId, ...one }))
  await recordInbound(db, bounded(entries, logger))
  wakeWorker(db, connectionId)
}
