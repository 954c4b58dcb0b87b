import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { heardAtOnce, type Needs, type Past } from '#domain/memory.ts'
import type { Database } from '#projections/database.ts'
import type { LogKey } from './log-keys.ts'

/** What a stream was folded to: by whom it is read again compares its hash with that of the event at this revision. */
export type Snapshot = { revision: bigint; hash: string; state: string }
export type Spent = { id: string; messageId: number | null }
/** Of a stream: what it was folded to, and by key what the fold does not keep at hand. */
export type Snapshots = ReturnType<typeof openSnapshots>
type Of = { companyId: number; stream: string }

/** `older`: another process has come as far. `gone`: what was folded up to `from` is not there any more. */
export type Kept = 'kept' | 'older' | 'gone'

/**
 * The rows are signed with the log's key, so that what was altered here is not believed. A snapshot and what belongs to it are written in
 * one transaction and only ever go forward: what is found by key is of the snapshot's revision or newer, and folding over it the facts
 * that it has seen already changes nothing.
 */
export function openSnapshots(db: Kysely<Database>, { key }: LogKey, fold: number, logger?: Logger) {
  const macOf = (kind: string, { stream }: Of, ...told: (string | number | boolean | null)[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, stream, fold, ...told]))
      .digest('hex')
  const macOfPast = (
    of: Of,
    { messageId, revision, fromMe, said }: { messageId: number; revision: number; fromMe: boolean; said: string },
  ) => macOf('past', of, messageId, revision, fromMe, said)
  const at = ({ stream }: Of) => sql<boolean>`stream = ${stream} and fold = ${fold}`

  async function forget(of: Of): Promise<void> {
    await db.deleteFrom('snapshot').where(at(of)).execute()
  }

  return {
    forget,

    async newest(of: Of): Promise<Snapshot | null> {
      const row = await db.selectFrom('snapshot').select(['revision', 'hash', 'state', 'mac']).where(at(of)).executeTakeFirst()
      if (!row) return null
      if (row.mac !== macOf('snapshot', of, row.revision, row.hash, row.state)) return forget(of).then(() => null)
      return { revision: BigInt(row.revision), hash: row.hash, state: row.state }
    },

    /** What was asked for, as far as it is there; null where the snapshot is not, or is not as far as `from`. */
    async recall(of: Of, from: bigint, { messages, ids, at: revisions, heardTo }: Needs): Promise<{ past: Past[]; spent: Spent[] } | null> {
      const { rows: spent } = await sql<{ id: string | null; messageId: number | null; mac: string }>`
        select i.id, i.message_id, i.mac
        from (select 1 from snapshot where ${at(of)} and revision >= ${from.toString()}::int) s
          left join (select id, message_id, mac from snapshot_spent where ${at(of)} and id = any(${ids}::text[])) i on true`.execute(db)
      if (spent.length === 0) return null
      const found = spent.flatMap(({ id, ...row }) => (id === null ? [] : [{ id, ...row }]))
      const named = [...messages, ...found.flatMap(({ messageId }) => messageId ?? [])]
      const past = named.length + revisions.length + heardTo.length > 0 ? await pastOf(of, named, revisions, heardTo) : []
      const whole = found.every(({ messageId }) => messageId === null || past.some((one) => one.messageId === messageId))
      const signed =
        found.every(({ id, messageId, mac }) => mac === macOf('spent', of, id, messageId)) &&
        past.every(({ mac, ...row }) => mac === macOfPast(of, row))
      if (!whole || !signed) return forget(of).then(() => null)
      return {
        past: past.map(({ messageId, said }) => ({ messageId, ...(JSON.parse(said) as Omit<Past, 'messageId'>) })),
        spent: found,
      }
    },

    /** `from`: the revision up to which only these rows know all; null where the state that is written has forgotten nothing. */
    async keep(
      { companyId, stream }: Of,
      from: bigint | null,
      { revision, hash, state }: Snapshot,
      past: Past[],
      spent: Spent[],
    ): Promise<Kept> {
      const of = { companyId, stream }
      const row = { ...of, fold, revision: Number(revision), hash, state, mac: macOf('snapshot', of, Number(revision), hash, state) }
      const signedPast = ({ messageId, said, ids }: Past) => {
        const one = { messageId, revision: said.revision, fromMe: said.from === 'us', said: JSON.stringify({ said, ids }) }
        return { ...one, mac: macOfPast(of, one) }
      }
      const signedSpent = ({ id, messageId }: Spent) => ({ id, messageId, mac: macOf('spent', of, id, messageId) })
      const writing = db.transaction().execute(async (tx): Promise<Kept> => {
        if (!(await placed(tx, of, from, row))) {
          const there = await tx.selectFrom('snapshot').select('revision').where(at(of)).executeTakeFirst()
          return there && there.revision >= row.revision ? 'older' : 'gone'
        }
        if (from === null) await tx.deleteFrom('snapshot').where('stream', '=', stream).where('fold', '<', fold).execute()
        for (const some of slices(past))
          await sql`
          insert into snapshot_past (company_id, stream, fold, message_id, revision, from_me, said, mac)
          select ${companyId}::int, ${stream}::text, ${fold}::int, p."messageId", p.revision, p."fromMe", p.said, p.mac
          from jsonb_to_recordset(${JSON.stringify(some.map(signedPast))}::jsonb) as p("messageId" int, revision int, "fromMe" boolean, said text, mac text)
          on conflict (stream, fold, message_id) do update set revision = excluded.revision, from_me = excluded.from_me,
            said = excluded.said, mac = excluded.mac where snapshot_past.mac <> excluded.mac`.execute(tx)
        for (const some of slices(spent))
          await sql`
          insert into snapshot_spent (company_id, stream, fold, id, message_id, mac)
          select ${companyId}::int, ${stream}::text, ${fold}::int, s.id, s."messageId", s.mac
          from jsonb_to_recordset(${JSON.stringify(some.map(signedSpent))}::jsonb) as s(id text, "messageId" int, mac text)
          on conflict (stream, fold, id) do update set message_id = excluded.message_id, mac = excluded.mac
            where snapshot_spent.mac <> excluded.mac`.execute(tx)
        return 'kept'
      })
      return writing.catch((error) => {
        logger?.warn({ err: error, ...of }, 'a snapshot was not written; it is tried again later')
        return 'older'
      })
    },
  }

  async function placed(
    tx: Kysely<Database>,
    of: Of,
    from: bigint | null,
    row: Of & { fold: number; revision: number; hash: string; state: string; mac: string },
  ): Promise<boolean> {
    const { revision, hash, state, mac } = row
    const to = { revision, hash, state, mac, takenAt: sql<string>`now()` }
    if (from !== null) {
      const one = tx.updateTable('snapshot').set(to).where(at(of)).where('revision', '>=', Number(from)).where('revision', '<', revision)
      return (await one.executeTakeFirstOrThrow()).numUpdatedRows > 0n
    }
    const one = tx
      .insertInto('snapshot')
      .values(row)
      .onConflict((known) => known.columns(['stream', 'fold']).doUpdateSet(to).where('snapshot.revision', '<', revision))
    return ((await one.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
  }

  async function pastOf(of: Of, messages: number[], revisions: number[], heardTo: number[]) {
    const { rows } = await sql<{ messageId: number; revision: number; fromMe: boolean; said: string; mac: string }>`
      select distinct on (p.message_id) p.message_id, p.revision, p.from_me, p.said, p.mac from (
        select * from snapshot_past where ${at(of)} and message_id = any(${messages}::int[])
        union all select l.* from unnest(${revisions}::int[]) as r(revision) cross join lateral (
          select * from snapshot_past where ${at(of)} and revision <= r.revision order by revision desc limit 1) l
        union all select l.* from unnest(${heardTo}::int[]) as r(revision) cross join lateral (
          select * from snapshot_past where ${at(of)} and revision <= r.revision and not from_me order by revision desc limit ${heardAtOnce}) l
      ) p`.execute(db)
    return rows
  }
}

/** Signing takes its time, and others want to be answered in between. */
const atOnce = 500
const slices = <T>(list: T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / atOnce) }, (_, i) => list.slice(i * atOnce, (i + 1) * atOnce))
