import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { SettingKey } from '#domain/setting/contract.ts'
import type { Database } from '#projections/database.ts'
import { bell } from '../concurrency/auto-reset-event.ts'
import type { AppContext } from '../context.ts'

/*
 * What was restored may stand beside the house it was saved from, as a trial does: with the same numbers, the same messages that wait to go
 * out, the same deadlines. Until an operator says that it is the one, its workers begin nothing.
 */
const key: SettingKey = 'restoredFrom'
const againMs = 2000

/** Marks a store as restored from a backup of that moment. */
export const markRestored = (client: Pick<pg.Client, 'query'>, madeAt: string): Promise<unknown> =>
  client.query('insert into platform_setting (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value', [
    key,
    madeAt,
  ])

/** Takes the mark away, and has every page and worker look again; false: there was none. */
export async function goLive(client: Pick<pg.Client, 'query'>): Promise<boolean> {
  const { rowCount } = await client.query('delete from platform_setting where key = $1', [key])
  await client.query(`select pg_notify('changes', '* refresh')`)
  return rowCount === 1
}

const readRestoredFrom = async (db: Kysely<Database>): Promise<string | null> =>
  (await db.selectFrom('platformSetting').select('value').where('key', '=', key).executeTakeFirst())?.value ?? null

/** Resolves at once where nothing is held, or when it is let go, or at the end. */
export async function untilLive(
  { db, notifications, logger }: Pick<AppContext, 'db' | 'notifications' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  const news = bell()
  const off = notifications.on('changes', (line) => line === '* refresh' && news.ring())
  signal.addEventListener('abort', news.ring, { once: true })
  for (let warned = false; !signal.aborted; ) {
    const restoredFrom = await readRestoredFrom(db).catch(() => undefined) // a store is away
    if (restoredFrom === null) break
    if (restoredFrom !== undefined && !warned) {
      warned = true
      logger.warn({ restoredFrom }, 'restored from a backup: nothing is sent, received or due here until npm run restore -- --go-live')
    }
    await news.rung(againMs)
  }
  off()
}
