import { sql } from 'kysely'
import { identityKeyOf } from '#domain/contact/identity.ts'
import { numberKey } from '#domain/contact/rules.ts'
import type { Connection, InboundEvent, LeasedConnection } from '../channels/channel.ts'
import { type ContactStore, knownContacts } from './contact-resolver.ts'
import type { Deps } from './handle-inbound-event.ts'
import type { InFlightTracker } from './in-flight-tracker.ts'
import { placeholder } from './inbound-journal.ts'

/** `awaited`: it replaces a message that could not be decrypted. */
export type JournalEntry = {
  awaited: boolean
  id: number
  externalId: string
  conversation: string
  payload: InboundEvent | null
  failures: number
  tries: number
  unsure: boolean
  /** Ordering key: the receipts of a person have a queue of their own. */
  key: string
  receivedAt: string
  /** When its file was first requested while the connection was up, in milliseconds. */
  askedAt?: number | undefined
}
/** `keys`: the identifiers of the entry's person. */
export type FoundEntry = { entry: JournalEntry; keys: string[] }
/** `isFull`: more rows may follow. `isConnectionEnded`: the connection was ended before the last of these rows was written. */
export type Page = { found: FoundEntry[]; isFull: boolean; isConnectionEnded: boolean }

const pageSize = 500
/** Event types that are delivery receipts. */
const receiptTypes = ['receipt', 'accepted', 'failed']

/**
 * Webhook events are processed even while the connection cannot send. Socket events, and events of a connection that an admin disconnected,
 * wait until it reconnects.
 */
export const canProcess = ({ status, provider, reason }: Connection, { channel }: Pick<Deps, 'channel'>): boolean =>
  status === 'CONNECTED' || (channel?.(provider)?.webhooks === true && (status !== 'DISCONNECTED' || reason !== null))

/**
 * Reads the journal of one connection in pages, oldest rows first. A page has no entry that is in flight and none of a person at the limit,
 * so every other row that is not done is read sooner or later, also one that was committed late.
 */
export function createJournalReader(
  leased: Pick<LeasedConnection, 'connection'>,
  tracker: Pick<InFlightTracker, 'ids' | 'full'>,
  deps: Deps,
) {
  const { db } = deps
  /** `unsure`: another process may have applied the rows in part. `only`: reads no other ids. */
  return async function readPage({ unsure, only = null }: { unsure: boolean; only?: number[] | null }): Promise<Page> {
    const full = tracker.full()
    const key = sql<string>`case when payload->>'type' in (${sql.join(receiptTypes)}) then 'receipts ' else '' end || conversation`
    const rows = await db
      .selectFrom('inboundEvent')
      .innerJoin('connection', 'connection.id', 'inboundEvent.connectionId') // the state at the time of this query; the leased copy may be older
      .select(['inboundEvent.id', 'externalId', 'conversation', 'payload', 'failures', 'receivedAt', key.as('key')])
      .select(['connection.status', 'connection.reason'])
      .select(
        // a subquery of one row, because for a join Postgres would read the whole journal
        sql<boolean>`coalesce((select true from inbound_event w where w.connection_id = inbound_event.connection_id and w.external_id = inbound_event.external_id || ${placeholder}), false)`.as(
          'awaited',
        ),
      )
      .where('connectionId', '=', leased.connection.id)
      .where('doneAt', 'is', null)
      .where(sql<boolean>`inbound_event.id <> all(${tracker.ids()}::bigint[])`) // by the ids in flight, not by a position: identity order is not commit order
      .$if(only !== null, (query) => query.where(sql<boolean>`inbound_event.id = any(${only}::bigint[])`))
      .$if(full.length > 0, (query) => query.where(sql<boolean>`${key} <> all(${full}::text[])`))
      .orderBy('inboundEvent.id')
      .limit(pageSize)
      .execute()
    const found = rows.map(async ({ status, reason, ...one }) => {
      const entry = { ...one, unsure, tries: 0 } as JournalEntry
      return { entry, keys: await personKeys(entry, leased.connection, deps) }
    })
    return {
      found: await Promise.all(found),
      isFull: rows.length === pageSize,
      isConnectionEnded: rows.some(({ status, reason }) => !canProcess({ ...leased.connection, status, reason }, deps)),
    }
  }
}

/**
 * Returns the keys of the queue that an entry belongs to. A person has several identifiers, and a provider uses different ones at different
 * times. A group is one conversation. Receipts have their own queue: they may wait for a send in flight and must not delay messages.
 */
async function personKeys({ conversation, payload }: JournalEntry, connection: Connection, store: ContactStore): Promise<string[]> {
  if (payload && receiptTypes.includes(payload.type)) return [`receipts ${numberKey(conversation)}`]
  const from = payload && 'from' in payload && !('group' in payload && payload.group) ? payload.from : []
  const ids = payload?.type === 'numberChanged' ? [...from, ...payload.to] : from
  return [numberKey(conversation), ...ids.map(identityKeyOf), ...(await knownContacts(connection, ids, store)).map((id) => `contact ${id}`)]
}
