import { type Kysely, sql } from 'kysely'
import type { Availability } from '#domain/user/contract.ts'
import type { Database } from '#projections/database.ts'

/** On a row of `user_presence`: the user serves as many tickets as the company allows. */
const full = sql<boolean>`exists (select from company_setting s where s.company_id = user_presence.company_id and s.key = 'maxOpenTickets'
  and s.value <> '' and s.value::int <= (
    select count(*) from ticket t where t.company_id = s.company_id and t.user_id = user_presence.id and t.status = 'open'))`

/**
 * On a row of `user` joined with `user_presence`: whether tickets may be assigned automatically (A-ROT-01).
 * `away`: set by the user. `idle`: no input. `full`: serves enough tickets.
 */
export const availability = sql<Availability>`case
  when not coalesce(user_presence.online, false) then 'offline'
  when user_presence.away then 'away'
  when user_presence.idle then 'idle'
  when ${full} then 'full'
  else 'available' end`

/**
 * Stores changes of fullness, which sends them to clients. The stored value is only for display; assignment
 * counts again.
 */
export const updateFullness = ({ db }: { db: Kysely<Database> }) =>
  sql`update user_presence set is_full = not is_full where online and is_full <> ${full}`.execute(db)
