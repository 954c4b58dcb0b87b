import { AsyncLocalStorage } from 'node:async_hooks'
import { jidDecode } from '@whiskeysockets/baileys'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { createAutoResetEvent } from '#app/concurrency/auto-reset-event.ts'
import { bounded, isId, type NewJournalEntry, recordInbound } from '#app/inbound/inbound-journal.ts'
import type { WakeWorker } from '#app/inbound/worker-wakeups.ts'
import type { Database } from '#projections/database.ts'
import type { AccountTables } from './account-tables.ts'

/** A message in WhatsApp's format, needed to send it again to a device that could not read it, to quote it and to react to it. */
export type StoredMessage = { id: string; fromMe: boolean; chat: string; participant: string | null; message: Uint8Array }
/**
 * The rows that are written in one transaction with the keys that a decryption changes. `history`: parts of the phone's history from before
 * it was linked.
 */
export type InboundBatch = { entries: NewJournalEntry[]; kept: StoredMessage[]; history: Uint8Array[] }
type WrittenBatch = InboundBatch & { written: boolean }

const mostAtOnce = 500

export type AccountJournal = ReturnType<typeof createAccountJournal>

/** Stores what an account receives: inbound events, messages in WhatsApp's format, and parts of the phone's history. */
export function createAccountJournal(tables: AccountTables, { wakeWorker, logger }: { wakeWorker: WakeWorker; logger: Logger }) {
  const { db, connectionId } = tables
  const currentBatch = new AsyncLocalStorage<WrittenBatch>()
  const historyStored = createAutoResetEvent()
  async function write(on: Kysely<Database>, { entries, kept, history }: InboundBatch): Promise<void> {
    await insertMessages(tables, on, kept)
    await recordInbound(on, bounded(entries, logger))
    for (const part of history) await insertHistory(tables, on, part)
  }

  return {
    write,
    /** The batch of the running `journalled`. */
    currentBatch: () => currentBatch.getStore(),
    /** Writes the events that `run` collects in one transaction with the keys that it used up. */
    async journalled<T>(run: (batch: InboundBatch) => Promise<T>): Promise<T> {
      const batch: WrittenBatch = { entries: [], kept: [], history: [], written: false }
      const answer = await currentBatch.run(batch, () => run(batch))
      if (!batch.written && batch.entries.length + batch.kept.length + batch.history.length > 0)
        await db.transaction().execute((on) => write(on, batch)) // no key changed, so nothing is written yet
      if (batch.entries.length > 0) wakeWorker(connectionId)
      if (batch.history.length > 0) historyStored.set()
      return answer
    },
    async hasTaken(externalId: string): Promise<boolean> {
      const row = db.selectFrom('inboundEvent').select('id').where('connectionId', '=', connectionId).where('externalId', '=', externalId)
      return (await row.executeTakeFirst()) !== undefined
    },
    /** Stores a message of ours. It replaces an earlier one with the same id, which WhatsApp may have refused. */
    keep: (one: StoredMessage) => insertMessages(tables, db, [one], true),
    async keepAll(on: Kysely<Database>, all: StoredMessage[]): Promise<void> {
      for (let n = 0; n < all.length; n += mostAtOnce) await insertMessages(tables, on, all.slice(n, n + mostAtOnce))
    },
    async kept(id: string): Promise<StoredMessage | null> {
      const found = await db
        .selectFrom('waMessage')
        .select('data')
        .where('connectionId', '=', connectionId)
        .where('id', '=', id)
        .executeTakeFirst()
      return found ? { id, ...tables.decrypt(`message ${id}`, found.data) } : null
    },
    /** Set when there are new parts of the history. */
    historyStored,
    async nextHistory(): Promise<{ id: number; data: Uint8Array; failures: number } | null> {
      const oldest = db
        .selectFrom('waHistory')
        .select(['id', 'data', 'failures'])
        .where('connectionId', '=', connectionId)
        .orderBy('id')
        .limit(1)
      const found = await oldest.executeTakeFirst()
      return found ? { ...found, data: tables.decryptBytes('history', found.data) } : null
    },
  }
}

async function insertMessages(
  { connectionId, companyId, encrypt }: AccountTables,
  on: Kysely<Database>,
  all: StoredMessage[],
  replace = false,
): Promise<void> {
  const messages = all.filter(({ id }) => isId(id))
  if (messages.length === 0) return
  await on
    .insertInto('waMessage')
    .values(messages.map(({ id, ...rest }) => ({ connectionId, companyId, id, who: whoseIs(rest), data: encrypt(`message ${id}`, rest) })))
    .onConflict((known) =>
      replace ? known.columns(['connectionId', 'id']).doUpdateSet((eb) => ({ data: eb.ref('excluded.data') })) : known.doNothing(),
    )
    .execute()
}

/** The author of a message, or the recipient of one of ours. */
const whoseIs = ({ chat, participant }: Pick<StoredMessage, 'chat' | 'participant'>) => jidDecode(participant ?? chat)?.user ?? ''

/** Stores a part of the phone's history. A connection that imports no messages reads only the people of its chats. */
async function insertHistory({ connectionId, encryptBytes }: AccountTables, on: Kysely<Database>, part: Uint8Array): Promise<void> {
  await sql`
    insert into wa_history (connection_id, company_id, data)
    select id, company_id, ${encryptBytes('history', part)} from connection where id = ${connectionId}`.execute(on)
}
