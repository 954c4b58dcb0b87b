import { type RawBuilder, sql } from 'kysely'

/**
 * Compares with a list of keys. A single key uses `=`, because Postgres keeps that plan. A list is planned
 * each time, which for a ticket row takes five times as long as reading it.
 */
export const isOneOf = (keys: number[]): RawBuilder<unknown> => (keys.length === 1 ? sql`= ${keys[0]}` : sql`= any(${keys}::int[])`)
