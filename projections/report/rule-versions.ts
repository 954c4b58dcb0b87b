import { type Kysely, sql } from 'kysely'
import type { RuleVersion } from '#domain/hours/timelines.ts'
import type { Database } from '../database.ts'

export async function ruleVersionsOf(db: Kysely<Database>, companyId: number): Promise<RuleVersion[]> {
  const { rows } = await sql<RuleVersion>`
    select kind, owner_id, nullif(valid_from, '-infinity') as valid_from, value from rule_version
    where company_id = ${companyId} order by kind, owner_id, valid_from`.execute(db)
  return rows
}
