import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { lockIds } from '../scheduler/locks.ts'
import type { Connection, Lease } from './channel.ts'

export const sessionName = 'guiche leases'
/** Identifies this run of the process. */
export const processId = randomUUID()

/**
 * Registers this process as a worker: a row, and an advisory lock that shows the others that its session lives. The others are notified and
 * release their surplus connections.
 */
export async function registerWorker(client: pg.Client, leaseMs: number): Promise<number> {
  const text = `
    insert into worker (pid, until, process) values (pg_backend_pid(), now() + $2 * interval '1 ms', $3)
    returning id, pg_advisory_lock($1, id), pg_notify('leases', '')`
  return (await client.query(text, [lockIds.worker, leaseMs, processId])).rows[0].id
}

/**
 * Removes workers whose session ended or whose lease expired, which frees their connections. The session of a stalled worker is terminated,
 * so that its locks are released and it notices the loss when it resumes.
 */
export async function evictDeadWorkers(client: pg.Client, me: number): Promise<void> {
  const text = `
    with gone as (delete from worker where id <> $1 and (until < now() or pg_try_advisory_xact_lock($2, id)) returning pid)
    select pg_terminate_backend(pid) from gone join pg_stat_activity using (pid) where application_name = $3 and datname = current_database()`
  await client.query(text, [me, lockIds.worker, sessionName])
}

/** Renews the leases. Returns this worker's share of the connections, or null if it was evicted. Shares differ by at most one. */
export async function renewLeases(client: pg.Client, me: number, leaseMs: number): Promise<number | null> {
  const text = `
    with lives as (update worker set until = now() + $2 * interval '1 ms' where id = $1 returning id)
    select c.n / w.n + case when w.before < c.n % w.n then 1 else 0 end as share
    from lives, (select count(*)::int as n from connection) c,
      (select count(*)::int as n, (count(*) filter (where id < $1))::int as before from worker) w`
  return (await client.query<{ share: number }>({ name: 'beat', text, values: [me, leaseMs] })).rows[0]?.share ?? null
}

/** Acquires up to `most` free connections. */
export async function acquireLeases(client: pg.Client, me: number, most: number): Promise<void> {
  const text = `
    insert into connection_lease as l (connection_id, company_id, holder)
    select id, company_id, $1 from (
      select c.id, c.company_id from connection c left join connection_lease l on l.connection_id = c.id
      where l.holder is null order by random() limit $2) free
    on conflict (connection_id) do update set holder = excluded.holder, number = l.number + 1, round_trip_at = null where l.holder is null`
  await client.query(text, [me, most])
}

export async function releaseLeases(client: pg.Client, me: number, ids: number[]): Promise<void> {
  await client.query('update connection_lease set holder = null where connection_id = any($1::int[]) and holder = $2', [ids, me])
  await client.query(`select pg_notify('leases', '')`)
}

export async function deregisterWorker(client: pg.Client, me: number): Promise<void> {
  await client.query(`with gone as (delete from worker where id = $1 returning id) select pg_notify('leases', '') from gone`, [me])
}

export type LeasableConnection = Connection & { number: Lease['number']; updatedAt: Date }
/** Returns the current rows of the connections that this worker leases. */
export async function leasedConnections(client: pg.Client, me: number): Promise<LeasableConnection[]> {
  const text = `
    select c.id, c.company_id as "companyId", c.channel, c.provider, c.status, c.reason, c.allow_group as "allowGroup",
      c.group_as_ticket as "groupAsTicket", c.time_create_new_ticket as "timeCreateNewTicket", c.max_use_bot_queues_n_p_s as "maxUseBotQueuesNPS", l.number, c.updated_at as "updatedAt",
      (select case when count(*) = 1 then min(cq.queue_id) end from connection_queue cq where cq.connection_id = c.id) as "queueId",
      (select coalesce(json_object_agg(t.id, r.id), '{}') from tag t join tag r on r.id = t.rollback_lane_id and r.company_id = t.company_id
        where t.company_id = c.company_id and t.kanban = 1 and r.kanban = 1) as "lanesBack"
    from connection_lease l join connection c on c.id = l.connection_id where l.holder = $1`
  return (await client.query<LeasableConnection>({ name: 'held', text, values: [me] })).rows
}

/** Finds connections with waiting rows whose notification was missed. */
export async function connectionsWithWork(client: pg.Client, ids: number[]): Promise<{ id: number; journal: boolean; outbox: boolean }[]> {
  const text = `
    select * from (
      select line.id, exists (select from inbound_event j where j.connection_id = line.id and j.done_at is null) as journal,
        exists (select from outbox o where o.connection_id = line.id and o.state = 'waiting' and o.due_at <= now()) as outbox
      from unnest($1::int[]) as line(id)) one
    where journal or outbox`
  return (await client.query<{ id: number; journal: boolean; outbox: boolean }>({ name: 'waiting', text, values: [ids] })).rows
}
