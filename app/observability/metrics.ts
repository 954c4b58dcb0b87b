import { type Kysely, sql } from 'kysely'
import { Counter } from 'prom-client'
import type { Database } from '#projections/database.ts'
import { anchorProcessor } from '../anchor/make.ts'

/** Webhook events by outcome, exposed at /metrics. */
export const webhookEvents = new Counter({
  name: 'guiche_webhook_events_total',
  help: 'Webhook events of providers, by outcome.',
  labelNames: ['channel', 'outcome'],
  registers: [],
})

/** A connection that is down although no user disconnected it, and the reason. */
export const away = sql<boolean>`(silent_since is not null or (reason is not null and status in ('DISCONNECTED', 'TIMEOUT', 'OPENING')))`
export const reasonNow = sql<string>`case when silent_since is not null then 'SILENT' else reason end`

/** The state of a connection. Without a worker that leases it a connection is not connected, even if its row says so. */
const stateNow = sql<string>`case when unleased_since is not null and status = 'CONNECTED' then 'UNLEASED' else status end`

/** Connections by state, and those that are down by reason. A reason that only a provider knows counts as OTHER. */
export async function countConnections(db: Kysely<Database>) {
  const reason = sql<string>`case when ${reasonNow} ~ '^[A-Z_]{1,40}$' then ${reasonNow} else 'OTHER' end`
  const all = db.selectFrom('connection').select((eb) => eb.fn.countAll<number>().as('n'))
  const [standing, gone] = await Promise.all([
    all.select(stateNow.as('state')).groupBy('state').execute(),
    all.select(reason.as('why')).where(away).groupBy('why').execute(),
  ])
  return { standing, gone }
}

/** Tickets whose history failed verification, by reason. */
export const countBroken = (db: Kysely<Database>) =>
  db
    .selectFrom('ticketChain')
    .select(['reason', (eb) => eb.fn.countAll<number>().as('n')])
    .where('holds', '=', false)
    .groupBy('reason')
    .execute()

/** Waiting rows by table, and the age in seconds of the oldest one that is due and whose connection is up. */
export async function countWaiting(db: Kysely<Database>) {
  const { rows } = await sql<{ table: string; n: number; seconds: number | null }>`
    select 'journal' as table, count(*) as n, extract(epoch from now() - min(received_at) filter (where c.status = 'CONNECTED')) as seconds
      from inbound_event j join connection c on c.id = j.connection_id where done_at is null
    union all select 'outbox', count(*), extract(epoch from now() - min(due_at) filter (where c.status = 'CONNECTED' and due_at <= now()))
      from outbox o join connection c on c.id = o.connection_id where state = 'waiting'
    union all select 'set aside', count(*), null from inbound_event where refused is not null and payload is not null`.execute(db)
  return rows
}

/** The age in seconds of the newest anchor; null if none was made yet. */
export async function readAnchorAge(db: Kysely<Database>): Promise<number | null> {
  const age = sql<number>`extract(epoch from now() - applied_at)::float8`.as('age')
  return (await db.selectFrom('checkpoint').select(age).where('name', '=', anchorProcessor).executeTakeFirst())?.age ?? null
}
