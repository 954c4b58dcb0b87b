import { type Kysely, sql } from 'kysely'
import { hourMs } from '#domain/duration/rules.ts'
import { streamName } from '#domain/stream.ts'
import type { TicketEvent } from '#domain/ticket/events.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import type { Database } from '#projections/database.ts'
import type { ContactKeys } from '../crypto/contact-keys.ts'
import { decodeEvents } from '../event-store/event-codec.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { MediaStore } from '../storage/media.ts'
import type { UploadReservationRow } from '../storage/upload-reservations.ts'

type Deps = { db: Kysely<Database>; eventStore: EventStore; contactKeys: ContactKeys; media: MediaStore }

/** Longer than any upload may take. */
const abandonedMs = hourMs

/**
 * Resolves the files of unfinished sends, after a crash or a store failure. A file whose message was stored
 * after all is kept.
 */
export async function sweepOrphanedUploads(deps: Deps, olderThan = abandonedMs): Promise<void> {
  const { stale, settleLate, release } = deps.media
  for (let page = await stale(olderThan); page.length > 0; page = await stale(olderThan))
    for (const hold of page) await ((await isNamed(hold, deps)) ? settleLate(hold) : release(hold))
}

/** Reads the event store, because the read models may lag and a stream may be parked. */
async function isNamed({ companyId, ticketId, key }: UploadReservationRow, { db, eventStore, contactKeys }: Deps): Promise<boolean> {
  if (ticketId !== null) {
    const events = await decodeEvents<TicketEvent>(
      ticketStream,
      (await eventStore.read(streamName(ticketStream, companyId, ticketId))).events,
      contactKeys,
    )
    return events.some((event) => 'media' in event && event.media?.key === key)
  }
  const { rows } = await sql`
    select from sandbox_message where company_id = ${companyId} and media->>'key' = ${key}
    union all select from row_file where company_id = ${companyId} and key = ${key}
    union all select from message where company_id = ${companyId} and media is not null and media->>'key' = ${key}
    union all select from inbound_event where company_id = ${companyId} and payload#>>'{media,key}' = ${key} limit 1`.execute(db)
  return rows.length > 0
}
