import { type Kysely, sql } from 'kysely'
import { inboundMessagesAtOnce, type Past, type PastReferences } from '#domain/state-window.ts'
import type { Database } from '#projections/database.ts'
import { type SnapshotScope, type SnapshotStream, slices } from './snapshot-scope.ts'

type PastRow = { messageId: number; revision: number; fromMe: boolean; said: string }

/** The older messages of a stream that its state no longer contains, as signed rows. */
export function createPastMessages({ fold, rowsOf, sign }: SnapshotScope) {
  const macOf = (of: SnapshotStream, { messageId, revision, fromMe, said }: PastRow) => sign('past', of, messageId, revision, fromMe, said)
  function signed(of: SnapshotStream, { messageId, message, ids }: Past): PastRow & { mac: string } {
    const row = { messageId, revision: message.revision, fromMe: message.from === 'us', said: JSON.stringify({ message, ids }) }
    return { ...row, mac: macOf(of, row) }
  }
  async function select(db: Kysely<Database>, of: SnapshotStream, messages: number[], revisions: number[], inboundUpTo: number[]) {
    const { rows } = await sql<PastRow & { mac: string }>`
      select distinct on (p.message_id) p.message_id, p.revision, p.from_me, p.said, p.mac from (
        select * from snapshot_past where ${rowsOf(of)} and message_id = any(${messages}::int[])
        union all select l.* from unnest(${revisions}::int[]) as r(revision) cross join lateral (
          select * from snapshot_past where ${rowsOf(of)} and revision <= r.revision order by revision desc limit 1) l
        union all select l.* from unnest(${inboundUpTo}::int[]) as r(revision) cross join lateral (
          select * from snapshot_past where ${rowsOf(of)} and revision <= r.revision and not from_me order by revision desc limit ${inboundMessagesAtOnce}) l
      ) p`.execute(db)
    return rows
  }

  return {
    /** Finds messages by their id and by the revisions that they precede. Null: a row is altered. */
    async find(
      db: Kysely<Database>,
      of: SnapshotStream,
      messages: number[],
      { at: revisions, inboundUpTo }: Pick<PastReferences, 'at' | 'inboundUpTo'>,
    ): Promise<Past[] | null> {
      if (messages.length + revisions.length + inboundUpTo.length === 0) return []
      const rows = await select(db, of, messages, revisions, inboundUpTo)
      if (!rows.every(({ mac, ...row }) => mac === macOf(of, row))) return null
      return rows.map(({ messageId, said }) => ({ messageId, ...(JSON.parse(said) as Omit<Past, 'messageId'>) }))
    },

    async insert(tx: Kysely<Database>, of: SnapshotStream, past: Past[]): Promise<void> {
      for (const some of slices(past))
        await sql`
          insert into snapshot_past (company_id, stream, fold, message_id, revision, from_me, said, mac)
          select ${of.companyId}::int, ${of.stream}::text, ${fold}::int, p."messageId", p.revision, p."fromMe", p.said, p.mac
          from jsonb_to_recordset(${JSON.stringify(some.map((one) => signed(of, one)))}::jsonb) as p("messageId" int, revision int, "fromMe" boolean, said text, mac text)
          on conflict (stream, fold, message_id) do update set revision = excluded.revision, from_me = excluded.from_me,
            said = excluded.said, mac = excluded.mac where snapshot_past.mac <> excluded.mac`.execute(tx)
    },
  }
}
