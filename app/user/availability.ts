import { sql } from 'kysely'
import type { Availability } from '#domain/user/contract.ts'

/**
 * Of a row of "user" beside its user_presence: whether something may be given to them by itself (A-ROT-01). Away by their own word, or for want of
 * input; full where they serve as many as a company lets one serve at once.
 */
export const availability = sql<Availability>`case
  when not coalesce(user_presence.online, false) then 'offline'
  when user_presence.away or user_presence.idle then 'away'
  when exists (select from company_setting s where s.company_id = "user".company_id and s.key = 'maxOpenTickets' and s.value <> ''
    and s.value::int <= (select count(*) from ticket t where t.company_id = s.company_id and t.user_id = "user".id and t.status = 'open')) then 'full'
  else 'available' end`
