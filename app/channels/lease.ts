import type pg from 'pg'
import { lockIds } from '../scheduler/locks.ts'
import type { Connection, Lease } from './channel.ts'

export const sessionName = 'guiche leases'

/** Becomes a worker among the others, who make room: a row, and a lock of this session by which they see that it lives. */
export async function join(client: pg.Client, leaseMs: number): Promise<number> {
  const text = `
    insert into worker (pid, until) values (pg_backend_pid(), now() + $2 * interval '1 ms')
    returning id, pg_advisory_lock($1, id), pg_notify('leases', '')`
  return (await client.query(text, [lockIds.worker, leaseMs])).rows[0].id
}

/**
 * Takes out who died, by its session, or stands still, by its time; what they held is free. The session of one that stands still is ended,
 * so that it lets go of its locks, and learns of it when it goes on.
 */
export async function bury(client: pg.Client, me: number): Promise<void> {
  const text = `
    with gone as (delete from worker where id <> $1 and (until < now() or pg_try_advisory_xact_lock($2, id)) returning pid)
    select pg_terminate_backend(pid) from gone join pg_stat_activity using (pid) where application_name = $3 and datname = current_database()`
  await client.query(text, [me, lockIds.worker, sessionName])
}

/** Says that it lives; answers how many connections are its share, or null where it was taken for dead. Shares differ by one at the most. */
export async function beat(client: pg.Client, me: number, leaseMs: number): Promise<number | null> {
  const text = `
    with lives as (update worker set until = now() + $2 * interval '1 ms' where id = $1 returning id)
    select c.n / w.n + case when w.before < c.n % w.n then 1 else 0 end as share
    from lives, (select count(*)::int as n from connection) c,
      (select count(*)::int as n, (count(*) filter (where id < $1))::int as before from worker) w`
  return (await client.query<{ share: number }>({ name: 'beat', text, values: [me, leaseMs] })).rows[0]?.share ?? null
}

/** Takes as many free ones. The lock is the lease of the release before this one, which may still run beside it. */
export async function take(client: pg.Client, me: number, most: number): Promise<void> {
  const text = `
    insert into connection_lease as l (connection_id, company_id, holder)
    select id, company_id, $1 from (
      select c.id, c.company_id from connection c left join connection_lease l on l.connection_id = c.id
      where l.holder is null order by random() limit $3) free
    where pg_try_advisory_lock($2, id)
    on conflict (connection_id) do update set holder = excluded.holder, number = l.number + 1, round_trip_at = null where l.holder is null`
  await client.query(text, [me, lockIds.connection, most])
}

export async function give(client: pg.Client, me: number, ids: number[]): Promise<void> {
  await client.query('update connection_lease set holder = null where connection_id = any($1::int[]) and holder = $2', [ids, me])
  await client.query('select pg_advisory_unlock($1, id) from unnest($2::int[]) id', [lockIds.connection, ids])
  await client.query(`select pg_notify('leases', '')`)
}

export async function part(client: pg.Client, me: number): Promise<void> {
  await client.query(`with gone as (delete from worker where id = $1 returning id) select pg_notify('leases', '') from gone`, [me])
}

export type Found = Connection & { number: Lease['number']; updatedAt: Date }
/** Each connection that is held, as it stands. */
export async function leasedLines(client: pg.Client, me: number): Promise<Found[]> {
  const text = `
    select c.id, c.company_id as "companyId", c.channel, c.provider, c.status, c.reason, c.allow_group as "allowGroup",
      c.group_as_ticket as "groupAsTicket", c.time_create_new_ticket as "timeCreateNewTicket", c.max_use_bot_queues_n_p_s as "maxUseBotQueuesNPS", l.number, c.updated_at as "updatedAt",
      (select case when count(*) = 1 then min(cq.queue_id) end from connection_queue cq where cq.connection_id = c.id) as "queueId",
      (select coalesce(json_object_agg(t.id, r.id), '{}') from tag t join tag r on r.id = t.rollback_lane_id and r.company_id = t.company_id
        where t.company_id = c.company_id and t.kanban = 1 and r.kanban = 1) as "lanesBack"
    from connection_lease l join connection c on c.id = l.connection_id where l.holder = $1`
  return (await client.query<Found>({ name: 'held', text, values: [me] })).rows
}

/** Where something waits of which nobody was told, all connections at once. */
export async function waiting(client: pg.Client, ids: number[]): Promise<{ id: number; journal: boolean; outbox: boolean }[]> {
  const text = `
    select * from (
      select line.id, exists (select from inbound_event j where j.connection_id = line.id and j.done_at is null) as journal,
        exists (select from outbox o where o.connection_id = line.id and o.state = 'waiting' and o.due_at <= now()) as outbox
      from unnest($1::int[]) as line(id)) one
    where journal or outbox`
  return (await client.query<{ id: number; journal: boolean; outbox: boolean }>({ name: 'waiting', text, values: [ids] })).rows
}
