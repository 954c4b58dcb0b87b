import type { JSONColumnType, Kysely } from 'kysely'
import { sql } from 'kysely'
import type { RuleVersion } from '#domain/hours/timelines.ts'
import type { Database } from '../database.ts'

/** A version of a rule by which past times are measured. Triggers of the database write it whenever the rule is saved. */
export type RuleVersionTable = {
  companyId: number
  /** `company`, `connection` or `queue`: weekly hours; `holidays`: days; otherwise the key of a setting. */
  kind: string
  /** 0 for what the company has once. */
  ownerId: number
  /** -infinity for the first version. */
  validFrom: string
  value: JSONColumnType<object, string, string>
}

export async function ruleVersionsOf(db: Kysely<Database>, companyId: number): Promise<RuleVersion[]> {
  const { rows } = await sql<RuleVersion>`
    select kind, owner_id, nullif(valid_from, '-infinity') as valid_from, value from rule_version
    where company_id = ${companyId} order by kind, owner_id, valid_from`.execute(db)
  return rows
}
