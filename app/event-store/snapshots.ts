import { createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { inboundMessagesAtOnce, type Past, type PastReferences } from '#domain/state-window.ts'
import type { Database } from '#projections/database.ts'
import type { EventMacKey } from '../crypto/event-mac-keys.ts'
import { secretKey } from '../crypto/key-object.ts'

/** The folded state of a stream. A reader must compare `hash` with the hash of the event at this revision. */
export type Snapshot = { revision: bigint; hash: string; state: string }
/** An id that must not be used again: of a command (`messageId` null) or of a message. */
export type Spent = { id: string; messageId: number | null }
/** Snapshots of streams, with the older messages and used ids that a state no longer contains, by key. */
export type Snapshots = ReturnType<typeof openSnapshots>
type Of = { companyId: number; stream: string }
/** A used id and the next one in order. A removed row is detected, because the row before still names it. */
type Link = Spent & { next: string | null; mac: string }
/** The row of a requested id, or the row before its place in the order. */
type Lookup = Link & { asked: string; between: boolean }

/** `older`: another process has stored the same or a newer revision. `gone`: the snapshot that `from` refers to no longer exists. */
export type SnapshotOutcome = 'kept' | 'older' | 'gone'

/**
 * The rows are signed with the event MAC key, so that altered rows are rejected. A snapshot and its rows are written in one transaction,
 * and revisions only increase. Rows by key have the snapshot's revision or a newer one. Folding events into them again changes nothing.
 */
export function openSnapshots(db: Kysely<Database>, { key }: EventMacKey, fold: number, logger?: Logger) {
  const macOf = (kind: string, { stream }: Of, ...fields: (string | number | boolean | null)[]) =>
    createHmac('sha256', secretKey(key))
      .update(JSON.stringify([kind, stream, fold, ...fields]))
      .digest('hex')
  const macOfPast = (
    of: Of,
    { messageId, revision, fromMe, said }: { messageId: number; revision: number; fromMe: boolean; said: string },
  ) => macOf('past', of, messageId, revision, fromMe, said)
  const at = ({ stream }: Of) => sql<boolean>`stream = ${stream} and fold = ${fold}`

  const link = (of: Of, id: string, next: string | null, messageId: number | null): Link => ({
    ...{ id, next, messageId },
    mac: macOf('key', of, id, next, messageId),
  })
  /** The row of an id, or the row before its place: the signed link to the next id proves that the id is absent. */
  const before = (of: Of) => sql`left join lateral (
    select id, next, message_id, mac, next is null or a.asked < next as between
    from snapshot_key where ${at(of)} and id <= a.asked order by id desc limit 1) b on true`
  const proven = (of: Of, { asked, id, next, messageId, mac, between }: Lookup): boolean =>
    id !== null && mac === macOf('key', of, id, next, messageId) && (id === asked || between)

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

    /** Finds past messages and used ids. Null if the snapshot is missing, is older than `from`, or has lost rows. */
    async recall(
      of: Of,
      from: bigint,
      { messages, ids, at: revisions, inboundUpTo }: PastReferences,
    ): Promise<{ past: Past[]; spent: Spent[] } | null> {
      const { rows: places } = await sql<Partial<Lookup> | Lookup>`
        select a.asked, b.* from (select from snapshot where ${at(of)} and revision >= ${from.toString()}::int) s
          left join unnest(${ids}::text[]) a (asked) on true ${before(of)}`.execute(db)
      if (places.length === 0) return null
      const asked = places.filter((place): place is Lookup => place.asked !== null)
      if (!asked.every((place) => proven(of, place))) return forget(of).then(() => null)
      const found = asked.filter(({ asked: id, id: there }) => id === there)
      const named = [...messages, ...found.flatMap(({ messageId }) => messageId ?? [])]
      const past = named.length + revisions.length + inboundUpTo.length > 0 ? await pastOf(of, named, revisions, inboundUpTo) : []
      const whole = found.every(({ messageId }) => messageId === null || past.some((one) => one.messageId === messageId))
      if (!whole || !past.every(({ mac, ...row }) => mac === macOfPast(of, row))) return forget(of).then(() => null)
      return {
        past: past.map(({ messageId, said }) => ({ messageId, ...(JSON.parse(said) as Omit<Past, 'messageId'>) })),
        spent: found,
      }
    },

    /** Stores a snapshot. `from`: the revision of the snapshot that the state depends on; null if the state is complete. */
    async keep(
      { companyId, stream }: Of,
      from: bigint | null,
      { revision, hash, state }: Snapshot,
      past: Past[],
      spent: Spent[],
    ): Promise<SnapshotOutcome> {
      const of = { companyId, stream }
      const row = { ...of, fold, revision: Number(revision), hash, state, mac: macOf('snapshot', of, Number(revision), hash, state) }
      const signedPast = ({ messageId, message, ids }: Past) => {
        const one = { messageId, revision: message.revision, fromMe: message.from === 'us', said: JSON.stringify({ message, ids }) }
        return { ...one, mac: macOfPast(of, one) }
      }
      const writing = db.transaction().execute(async (tx): Promise<SnapshotOutcome> => {
        if (!(await placed(tx, of, from, row))) {
          const there = await tx.selectFrom('snapshot').select('revision').where(at(of)).executeTakeFirst()
          return there && there.revision >= row.revision ? 'older' : 'gone'
        }
        const links = await linked(tx, of, spent, from === null)
        if (!links)
          return tx
            .deleteFrom('snapshot')
            .where(at(of))
            .execute()
            .then(() => 'gone')
        for (const some of slices(past))
          await sql`
          insert into snapshot_past (company_id, stream, fold, message_id, revision, from_me, said, mac)
          select ${companyId}::int, ${stream}::text, ${fold}::int, p."messageId", p.revision, p."fromMe", p.said, p.mac
          from jsonb_to_recordset(${JSON.stringify(some.map(signedPast))}::jsonb) as p("messageId" int, revision int, "fromMe" boolean, said text, mac text)
          on conflict (stream, fold, message_id) do update set revision = excluded.revision, from_me = excluded.from_me,
            said = excluded.said, mac = excluded.mac where snapshot_past.mac <> excluded.mac`.execute(tx)
        for (const some of slices(links))
          await sql`
          insert into snapshot_key (company_id, stream, fold, id, next, message_id, mac)
          select ${companyId}::int, ${stream}::text, ${fold}::int, s.id, s.next, s."messageId", s.mac
          from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as s(id text, next text, "messageId" int, mac text)
          on conflict (stream, fold, id) do update set next = excluded.next, mac = excluded.mac`.execute(tx)
        return 'kept'
      })
      return writing.catch((error) => {
        logger?.warn({ err: error, ...of }, 'Snapshot not written; retrying later')
        return 'older'
      })
    },
  }

  /** The rows that insert new ids into the order; null if an existing row is missing. `isFirst`: the stream has no rows yet. */
  async function linked(tx: Kysely<Database>, of: Of, spent: Spent[], isFirst: boolean): Promise<Link[] | null> {
    const messages = new Map(spent.map(({ id, messageId }) => [id, messageId]))
    const ids = [...messages.keys()]
    const places: Lookup[] = isFirst
      ? ids.map((asked) => ({ asked, id: '', next: null, messageId: null, mac: '', between: true }))
      : (await sql<Lookup>`select a.asked, b.* from unnest(${ids}::text[]) a (asked) ${before(of)}`.execute(tx)).rows
    if (!isFirst && !places.every((place) => proven(of, place))) return null
    const fresh = places.filter(({ asked, id }) => asked !== id)
    if (isFirst && fresh.length === 0) return [link(of, '', null, null)]
    return [...Map.groupBy(fresh, ({ id }) => id)].flatMap(([first, own]) => {
      const { next, messageId } = own[0]!
      const row = [first, ...own.map(({ asked }) => asked).toSorted(byBytes)]
      return row.map((id, i) => link(of, id, row[i + 1] ?? next, i === 0 ? messageId : (messages.get(id) ?? null)))
    })
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
    const old = sql<boolean>`(fold < ${fold} or fold = ${fold} and revision < ${revision})`
    await tx.deleteFrom('snapshot').where('stream', '=', of.stream).where(old).execute()
    const one = tx
      .insertInto('snapshot')
      .values(row)
      .onConflict((known) => known.doNothing())
    return ((await one.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
  }

  async function pastOf(of: Of, messages: number[], revisions: number[], inboundUpTo: number[]) {
    const { rows } = await sql<{ messageId: number; revision: number; fromMe: boolean; said: string; mac: string }>`
      select distinct on (p.message_id) p.message_id, p.revision, p.from_me, p.said, p.mac from (
        select * from snapshot_past where ${at(of)} and message_id = any(${messages}::int[])
        union all select l.* from unnest(${revisions}::int[]) as r(revision) cross join lateral (
          select * from snapshot_past where ${at(of)} and revision <= r.revision order by revision desc limit 1) l
        union all select l.* from unnest(${inboundUpTo}::int[]) as r(revision) cross join lateral (
          select * from snapshot_past where ${at(of)} and revision <= r.revision and not from_me order by revision desc limit ${inboundMessagesAtOnce}) l
      ) p`.execute(db)
    return rows
  }
}

/** Rows per slice. Signing blocks the event loop, so other requests are served between the slices. */
const sliceSize = 500
const slices = <T>(list: T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / sliceSize) }, (_, i) => list.slice(i * sliceSize, (i + 1) * sliceSize))
/** The order of Postgres for the collation "C". */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
