import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'
import { type SnapshotScope, type SnapshotStream, slices } from './snapshot-scope.ts'

/** An id that must not be used again: of a command (`messageId` null) or of a message. */
export type Spent = { id: string; messageId: number | null }
/** A used id and the next one in order. A removed row is detected, because the row before still names it. */
type Link = Spent & { next: string | null; mac: string }
/** The row of a requested id, or the row before its place in the order. */
type Lookup = Link & { asked: string; between: boolean }

/** The used ids of a stream as a chain of signed rows, which proves that an id is absent. */
export function createUsedIds({ fold, rowsOf, sign }: SnapshotScope) {
  const link = (of: SnapshotStream, id: string, next: string | null, messageId: number | null): Link => ({
    id,
    next,
    messageId,
    mac: sign('key', of, id, next, messageId),
  })
  /** The row of an id, or the row before its place: the signed link to the next id proves that the id is absent. */
  const before = (of: SnapshotStream) => sql`left join lateral (
    select id, next, message_id, mac, next is null or a.asked < next as between
    from snapshot_key where ${rowsOf(of)} and id <= a.asked order by id desc limit 1) b on true`
  const isProven = (of: SnapshotStream, { asked, id, next, messageId, mac, between }: Lookup): boolean =>
    id !== null && mac === sign('key', of, id, next, messageId) && (id === asked || between)

  return {
    /** Finds used ids. Undefined: the snapshot is missing or older than `from`. Null: a row is missing or altered. */
    async find(db: Kysely<Database>, of: SnapshotStream, from: bigint, ids: string[]): Promise<Spent[] | null | undefined> {
      const { rows: places } = await sql<Partial<Lookup> | Lookup>`
        select a.asked, b.* from (select from snapshot where ${rowsOf(of)} and revision >= ${from.toString()}::int) s
          left join unnest(${ids}::text[]) a (asked) on true ${before(of)}`.execute(db)
      if (places.length === 0) return undefined
      const asked = places.filter((place): place is Lookup => place.asked !== null)
      return asked.every((place) => isProven(of, place)) ? asked.filter(({ asked: id, id: there }) => id === there) : null
    },

    /** The rows that insert new ids into the order; null if an existing row is missing. `isFirst`: the stream has no rows yet. */
    async linksOf(tx: Kysely<Database>, of: SnapshotStream, spent: Spent[], isFirst: boolean): Promise<Link[] | null> {
      const messages = new Map(spent.map(({ id, messageId }) => [id, messageId]))
      const ids = [...messages.keys()]
      const places: Lookup[] = isFirst
        ? ids.map((asked) => ({ asked, id: '', next: null, messageId: null, mac: '', between: true }))
        : (await sql<Lookup>`select a.asked, b.* from unnest(${ids}::text[]) a (asked) ${before(of)}`.execute(tx)).rows
      if (!isFirst && !places.every((place) => isProven(of, place))) return null
      const fresh = places.filter(({ asked, id }) => asked !== id)
      if (isFirst && fresh.length === 0) return [link(of, '', null, null)]
      return [...Map.groupBy(fresh, ({ id }) => id)].flatMap(([first, own]) => {
        const { next, messageId } = own[0]!
        const row = [first, ...own.map(({ asked }) => asked).toSorted(byBytes)]
        return row.map((id, i) => link(of, id, row[i + 1] ?? next, i === 0 ? messageId : (messages.get(id) ?? null)))
      })
    },

    async insert(tx: Kysely<Database>, { companyId, stream }: SnapshotStream, links: Link[]): Promise<void> {
      for (const some of slices(links))
        await sql`
          insert into snapshot_key (company_id, stream, fold, id, next, message_id, mac)
          select ${companyId}::int, ${stream}::text, ${fold}::int, s.id, s.next, s."messageId", s.mac
          from jsonb_to_recordset(${JSON.stringify(some)}::jsonb) as s(id text, next text, "messageId" int, mac text)
          on conflict (stream, fold, id) do update set next = excluded.next, mac = excluded.mac`.execute(tx)
    },
  }
}

/** The order of Postgres for the collation "C". */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
