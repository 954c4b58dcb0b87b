import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { sequenceOf } from '#app/backup/reconcile.ts'
import { openTables } from '#tests/support/tables.ts'

/* Tables restored from a copy older than the log reuse no id that the log contains (A-OPS-02). */

/** Fields that hold no id of a table, with the reason. */
const otherwise: Record<string, string> = {
  externalId: 'derived for a provider from a message’s own id',
  clientId: 'the client’s id of a message',
  providerId: 'the provider’s id of a message',
  messageIds: 'each is in the event that created it',
}

it('each id in a ticket event raises an existing sequence after a restore', async () => {
  const page = readFileSync(new URL('../../domain/ticket/events.ts', import.meta.url), 'utf8')
  const named = new Set([...page.matchAll(/\b(\w+Ids?)\??:/g)].map(([, name]) => name!))
  expect(named.size).toBeGreaterThan(15)
  expect([...named].filter((name) => !sequenceOf[name] && !otherwise[name])).toEqual([])
  expect(Object.keys(otherwise).filter((name) => !named.has(name) || sequenceOf[name])).toEqual([])
  const tables = await openTables()
  try {
    const { rows } = await sql<{ name: string }>`select sequencename as name from pg_sequences where schemaname = 'public'`.execute(
      tables.db,
    )
    const there = new Set(rows.map(({ name }) => name))
    expect(Object.values(sequenceOf).filter((name) => !there.has(name))).toEqual([])
  } finally {
    await tables.drop()
  }
})
