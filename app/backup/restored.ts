import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { SettingKey } from '#domain/setting/contract.ts'
import type { Database } from '#projections/database.ts'
import { createAutoResetEvent } from '../concurrency/auto-reset-event.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import type { AppContext } from '../context.ts'

/*
 * A restored installation has the phone numbers, outbound messages and deadlines of the original, which may still run. Its workers
 * therefore start nothing until an operator runs `npm run restore -- --go-live`.
 */
const key: SettingKey = 'restoredFrom'
const pollMs = 2000

/** Marks a store as restored from a backup that was made at that time. */
export const markRestored = (client: Pick<pg.Client, 'query'>, madeAt: string): Promise<unknown> =>
  client.query('insert into platform_setting (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value', [
    key,
    madeAt,
  ])

/** Removes the mark and notifies pages and workers. Returns false if the store was not marked. */
export async function goLive(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rowCount } = await client.query('delete from platform_setting where key = $1', [key])
  await client.query(`select pg_notify('changes', '* refresh')`)
  return rowCount === 1
}

const readRestoredFrom = async (db: Kysely<Database>): Promise<string | null> =>
  (await db.selectFrom('platformSetting').select('value').where('key', '=', key).executeTakeFirst())?.value ?? null

/** Resolves when the store is live, or when `signal` aborts. */
export async function untilLive(
  { db, notifications, logger }: Pick<AppContext, 'db' | 'notifications' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  const wakeUp = createAutoResetEvent()
  const off = notifications.on('changes', (line) => line === '* refresh' && wakeUp.set())
  signal.addEventListener('abort', wakeUp.set, { once: true })
  for (let warned = false; !signal.aborted; ) {
    const restoredFrom = await ignoreErrors(readRestoredFrom(db), 'the database is unavailable')
    if (restoredFrom === null) break
    if (restoredFrom !== undefined && !warned) {
      warned = true
      logger.warn({ restoredFrom }, 'Restored from a backup; workers wait for restore --go-live')
    }
    await wakeUp.wait(pollMs)
  }
  off()
}
