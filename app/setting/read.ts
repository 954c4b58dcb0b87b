import { type Kysely, sql } from 'kysely'
import { defaults, isSetting, type Settings, withDefaultTexts } from '#domain/setting/contract.ts'
import { createStoreBatchLoader } from '#projections/batch-loader.ts'
import type { Database } from '#projections/database.ts'

/**
 * Reads the settings of a company and the platform each time, without a cache, so that a change takes effect
 * in every process. Concurrent reads share one query.
 */
export const settingsOf = createStoreBatchLoader(async (db: Kysely<Database>, companies: number[]): Promise<Settings[]> => {
  const { rows } = await sql<{ companyId: number; key: string; value: string }>`
    select company_id, key, value from company_setting where company_id = any(${companies}::int[])
    union all select 0, key, value from platform_setting`.execute(db)
  const known = rows.filter(({ key }) => isSetting(key)) // ignores settings of a newer release
  const own = Map.groupBy(known, ({ companyId }) => companyId)
  const given = (id: number) => Object.fromEntries((own.get(id) ?? []).map(({ key, value }) => [key, value]))
  const platform = { ...defaults, ...given(0) }
  return companies.map((id) => withDefaultTexts({ ...platform, ...given(id) }))
})
