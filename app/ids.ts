import { type Kysely, sql } from 'kysely'
import type { Database } from '#projections/database.ts'

export type NextId = () => Promise<number>

/** Ids from a sequence, fetched in blocks. They are unique but not ordered; the stream defines the order. */
export function idSource(db: Kysely<Database>, sequence: 'ticket_id' | 'message_id' | 'note_id', block: number): NextId {
  let left: number[] = []
  let fetching: Promise<void> | null = null
  const fetch = async () => {
    const { rows } = await sql<{ id: number }>`select nextval(${sequence}) as id from generate_series(1, ${block}::int)`.execute(db)
    left = left.concat(rows.map(({ id }) => id))
  }
  return async () => {
    for (;;) {
      const id = left.shift()
      if (id !== undefined) return id
      fetching ??= fetch().finally(() => {
        fetching = null
      })
      await fetching
    }
  }
}
