import { type Kysely, sql } from 'kysely'
import { findAnchors, publicKeys } from '#app/anchor/check.ts'
import { readSigningKeys } from '#app/anchor/signing-key.ts'
import { contactKeys } from '#app/crypto/contact-keys.ts'
import { readLogKeys } from '#app/crypto/event-mac-keys.ts'
import type { EventStore } from '#app/event-store/event-store.ts'
import { createEsdbEventStore } from '#app/event-store/eventstoredb.ts'
import { createPostgresEventStore } from '#app/event-store/postgres.ts'
import { rebuild } from '#app/event-store/rebuild.ts'
import { streamPrefixes } from '#app/modules.ts'
import { verifyLog } from '#app/verification/verify.ts'
import { prefixOf } from '#domain/stream.ts'
import { ticketStream } from '#domain/ticket/stream.ts'
import { openStore } from '#projections/postgres.ts'
import { ticketProjector } from '#projections/ticket/projector.ts'
import { eventually } from './wait.ts'

/** Fails if a test leaves read models that differ from the log, a broken chain, or unfinished work. */
export async function assertStoresConsistent(connectionString: string, masterKey: Buffer, eventstoreUrl?: string) {
  const { db, pool } = openStore(connectionString, 4)
  const log: EventStore = eventstoreUrl ? createEsdbEventStore(eventstoreUrl) : await createPostgresEventStore({ connectionString })
  try {
    const { differences } = await rebuild(ticketProjector, {
      db,
      connectionString,
      eventStore: log,
      contactKeys: contactKeys(pool, masterKey),
    })
    const found = await findAnchors({ eventStore: log, keys: publicKeys(await readSigningKeys(db, masterKey)) })
    const { bad } = await verifyLog(log, streamPrefixes, await readLogKeys(db, masterKey), found)
    return { differences, bad }
  } finally {
    await log.close()
    await db.destroy()
  }
}

/** The number of unfinished inbound events and outbound messages, and one more while the projector is behind the log in Postgres. */
async function onTheWay(db: Kysely<any>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from inbound_event where done_at is null) + (select count(*) from outbox where state = 'waiting')
      + (select count(*) from checkpoint where name = ${ticketProjector.name} and position <
          (select max(position) from event where starts_with(stream, ${prefixOf(ticketStream)}))) as n`.execute(db)
  return Number(rows[0]!.n)
}

/** Waits until every inbound event is processed, every message is sent, and the read models show them. */
export const arrived = (db: Kysely<any>): Promise<number> =>
  eventually(
    () => onTheWay(db),
    (left) => left === 0,
  )
