import { type Kysely, sql } from 'kysely'
import type { Availability } from '#domain/user/contract.ts'
import type { Database } from '#projections/database.ts'

/** Of a row of user_presence: they serve as many as their company lets one serve at once. */
const full = sql<boolean>`exists (select from company_setting s where s.company_id = user_presence.company_id and s.key = 'maxOpenTickets'
  and s.value <> '' and s.value::int <= (
    select count(*) from ticket t where t.company_id = s.company_id and t.user_id = user_presence.id and t.status = 'open'))`

/**
 * Of a row of "user" beside its user_presence: whether something may be given to them by itself (A-ROT-01). Away by their own word, or for want of
 * input; full where they serve enough.
 */
export const availability = sql<Availability>`case
  when not coalesce(user_presence.online, false) then 'offline'
  when user_presence.away or user_presence.idle then 'away'
  when ${full} then 'full'
  else 'available' end`

/** Who became full or is so no more is told to whoever shows them. What is told is kept for that alone: who is asked for is counted anew. */
export const tellFull = ({ db }: { db: Kysely<Database> }) =>
  sql`update user_presence set is_full = not is_full where online and is_full <> ${full}`.execute(db)
