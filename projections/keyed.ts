import { type RawBuilder, sql } from 'kysely'

/**
 * What a key is compared with. One alone is asked for as one: Postgres keeps the plan of that, where for a list it plans each time anew, for
 * a ticket's row five times as long as it reads it.
 */
export const isOneOf = (keys: number[]): RawBuilder<unknown> => (keys.length === 1 ? sql`= ${keys[0]}` : sql`= any(${keys}::int[])`)
