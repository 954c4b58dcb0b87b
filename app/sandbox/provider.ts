import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Interactive } from '#domain/interactive/rules.ts'
import type { Media } from '#domain/ticket/events.ts'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'
import { type Channel, PermanentChannelError, type Recipient, TransientChannelError } from '../channels/channel.ts'
import { type NewJournalEntry, recordInbound } from '../inbound/inbound-journal.ts'
import type { WakeWorker } from '../inbound/worker-wakeups.ts'

type Fault = {
  loseAnswers: boolean
  delayMs: number
  laterMs: number | null
  failCode: string | null
  afterwards: boolean
  duplicate: boolean
}

type Delivery = {
  companyId: number
  connectionId: number
  id: string
  phone: string
  kind: string
  body: string
  media: Media | null
  interactive?: Interactive
  quotedId: string | null
  entries: NewJournalEntry[]
}
/**
 * Delivers messages to simulated phones, many in one statement. The phone entry and its delivery receipt
 * commit together. A repeated id is delivered once.
 */
const deliverToPhones = createStoreBatchLoader(async (db: Kysely<Database>, lines: Delivery[]): Promise<undefined[]> => {
  await sql`
    with offered as (
      select one, n, (one->>'connectionId')::int as connection_id, one->>'id' as id
      from jsonb_array_elements(${JSON.stringify(lines)}::jsonb) with ordinality as o(one, n)
    ), arrived as (
      insert into sandbox_message (company_id, connection_id, id, phone, from_phone, kind, body, media, interactive, quoted_id, mark)
      select (one->>'companyId')::int, connection_id, id, one->>'phone', false, one->>'kind', one->>'body', nullif(one->'media', 'null'),
        one->'interactive', one->>'quotedId', 'delivered'
      from offered order by n
      on conflict do nothing returning connection_id, id
    )
    insert into inbound_event (company_id, connection_id, external_id, conversation, payload)
    select (entry->>'companyId')::int, connection_id, entry->>'externalId', entry->>'conversation', entry->'payload'
    from offered join arrived using (connection_id, id) cross join jsonb_array_elements(one->'entries') entry order by n
    on conflict (connection_id, external_id) do nothing`.execute(db)
  return lines.map(() => undefined)
})

/** Returns which connections have planned faults. Concurrent calls share one query. */
const hasFaults = createStoreBatchLoader(async (db: Kysely<Database>, ids: number[]): Promise<boolean[]> => {
  const rows = await db
    .selectFrom('sandboxFault')
    .select('connectionId')
    .where(sql<boolean>`connection_id = any(${ids}::int[])`)
    .where('remaining', '>', 0)
    .execute()
  return ids.map((id) => rows.some(({ connectionId }) => connectionId === id))
})

/**
 * A simulated provider with phones in a table. It accepts, delivers, acknowledges, fails and loses answers
 * like a real one, through the real code.
 */
export function sandboxProvider({ db, wakeWorker }: { db: Kysely<Database>; wakeWorker: WakeWorker }): Channel {
  /** Each send uses up one planned fault. */
  async function fault(connectionId: number): Promise<Fault | undefined> {
    if (!(await hasFaults(db, connectionId))) return undefined
    return db
      .updateTable('sandboxFault')
      .set({ remaining: sql`remaining - 1` })
      .where('connectionId', '=', connectionId)
      .where('remaining', '>', 0)
      .returning(['loseAnswers', 'delayMs', 'laterMs', 'failCode', 'afterwards', 'duplicate'])
      .executeTakeFirst()
  }
  const change = ({ connectionId }: Recipient, externalId: string, set: object) =>
    db.updateTable('sandboxMessage').set(set).where('connectionId', '=', connectionId).where('id', '=', externalId).execute()

  return {
    supportsIdempotentSend: true,
    /** Simulates that numbers with this ending are not registered. */
    isRegistered: async (_, number) => !number.endsWith('0000'),

    async send(to, externalId, { kind, body, media, vCard, interactive, quotedExternalId }) {
      const planned = await fault(to.connectionId)
      if (planned?.delayMs) await sleep(planned.delayMs)
      if (planned?.laterMs != null) throw new TransientChannelError('TOO_FAST', planned.laterMs)
      if (planned?.failCode && planned.afterwards) {
        await recordInbound(db, [notDelivered(to, externalId, planned.failCode)])
        wakeWorker(to.connectionId)
        return null
      }
      if (planned?.failCode) throw new PermanentChannelError(planned.failCode)
      const { companyId, connectionId, number: phone } = to
      const entries = [marked(to, externalId, 'delivered')]
      if (planned?.duplicate) entries.push({ ...entries[0]!, externalId: `${externalId}:delivered:again` })
      await deliverToPhones(db, {
        companyId,
        connectionId,
        id: externalId,
        phone,
        kind,
        body: vCard ?? body,
        media,
        ...(interactive && { interactive }),
        quotedId: quotedExternalId,
        entries,
      })
      wakeWorker(to.connectionId)
      if (planned?.loseAnswers) throw new Error('Answer lost by a planned fault')
      return null
    },

    react: async (to, externalId, emoji) => void (await change(to, externalId, { ours: emoji || null })),
    remove: async (to, externalId) => void (await change(to, externalId, { removed: true, body: '', media: null, interactive: null })),
    edit: async (to, externalId, body) => void (await change(to, externalId, { body, edited: true })),
    rejectCall: async (to, externalId) => void (await change(to, externalId, { mark: 'rejected' })),
    async read(to, externalIds) {
      if (externalIds.length === 0) return
      await db
        .updateTable('sandboxMessage')
        .set({ mark: 'read' })
        .where('connectionId', '=', to.connectionId)
        .where('fromPhone', '=', true)
        .where('id', 'in', externalIds)
        .execute()
    },
  }
}

type Where = Pick<Recipient, 'companyId' | 'connectionId' | 'number'>
const entryOf = ({ companyId, connectionId, number }: Where, externalId: string, payload: NewJournalEntry['payload']): NewJournalEntry => ({
  ...{ companyId, connectionId, externalId, conversation: number, payload },
})
export const marked = (to: Where, externalId: string, mark: 'delivered' | 'read' | 'played'): NewJournalEntry =>
  entryOf(to, `${externalId}:${mark}`, { type: 'receipt', externalIds: [externalId], mark })
const notDelivered = (to: Where, externalId: string, code: string): NewJournalEntry =>
  entryOf(to, `${externalId}:failed`, { type: 'failed', externalIds: [externalId], code })
