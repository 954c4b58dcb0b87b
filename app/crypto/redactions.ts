import type pg from 'pg'
import { minuteMs } from '#domain/duration/rules.ts'

/** The fields of an event that are no longer opened, by event id. */
export type Redactions = ReadonlyMap<string, readonly string[]>

/**
 * Reads which sealed fields of other people's tickets held an erased person. They are read again after a minute, because another process may
 * have added some.
 */
export function createRedactions(pool: Pick<pg.Pool, 'query'>, freshMs = minuteMs) {
  let known: Redactions = new Map()
  let newest = '0'
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | null = null

  async function read(): Promise<void> {
    const started = performance.now()
    const { rows: head } = await pool.query<{ newest: string }>(
      'select coalesce(max(n), 0)::text || count(*)::text as newest from redaction',
    )
    if (head[0]!.newest !== newest) {
      const { rows } = await pool.query<{ id: string; fields: string[] }>('select event_id as id, fields from redaction')
      known = new Map(rows.map(({ id, fields }) => [id, fields]))
      newest = head[0]!.newest
    }
    readAt = started
  }
  async function refresh(): Promise<Redactions> {
    reading ??= read().finally(() => {
      reading = null
    })
    await reading
    return known
  }
  return {
    refresh,
    current: async (): Promise<Redactions> => (performance.now() - readAt < freshMs ? known : refresh()),
  }
}
