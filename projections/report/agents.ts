import { type RawBuilder, sql } from 'kysely'
import { createdIn, finalizedIn, ratedIn, type Scope, within } from './range.ts'

/* Which users the lists of agents contain (A-VIS-04). `listsAgent` in `domain/access.ts` is the same rule for the live panel. */

/** The condition that user `u` serves a queue of the limit. Admins are left out, because they serve no queue in particular. */
export const servesWithin = (limit: number[] | null): RawBuilder<boolean> =>
  limit === null
    ? sql`true`
    : sql`(u.profile = 'user' and exists (select from user_queue uq where uq.user_id = u.id and ${within(limit, 'uq.queue_id')}))`

/**
 * The users of the company who serve a queue of the limit, and those with tickets of its queues in the range: created, finalized, rated, or
 * finalized by someone else after they took part. Removed users only have tickets.
 */
export const agentsIn = (scope: Scope): RawBuilder<unknown> => sql`
  select u.id as user_id from "user" u
  where u.company_id = ${scope.companyId} and u.retired_at is null and ${servesWithin(scope.filters.limit)}
    and ${scope.filters.userIds.length === 0 ? sql`true` : sql`u.id = any(${scope.filters.userIds}::int[])`}
  union select user_id from (${createdIn(scope)}) c where user_id is not null
  union select user_id from (${finalizedIn(scope)}) f where user_id is not null
  union select user_id from (${ratedIn(scope)}) r where user_id is not null
  union select unnest(participant_ids) from (${finalizedIn(scope)}) t`

/** The condition that the lists of any range contain user `u`. Without a limit that is every user, also a removed one. */
export const agentsEver = (companyId: number, limit: number[] | null): RawBuilder<boolean> => sql`(${servesWithin(limit)} or u.id in (
  select user_id from ticket_fact where company_id = ${companyId} and ${within(limit)} and deleted_at is null
  union select user_id from ticket_closing where company_id = ${companyId} and ${within(limit)} and not is_deleted
  union select unnest(participant_ids) from ticket_closing where company_id = ${companyId} and ${within(limit)} and not is_deleted))`
