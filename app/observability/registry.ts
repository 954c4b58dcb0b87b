import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AppContext } from '../context.ts'
import { unknownKinds } from '../inbound/unknown-kinds.ts'
import { readDiskSpace } from './disk.ts'
import { type FollowerState, readFollowers } from './followers.ts'
import { countBroken, countConnections, countWaiting, readAnchorAge, webhookEvents } from './metrics.ts'
import { readRoleState } from './roles.ts'
import { findUnavailableStores, orFallback } from './stores.ts'

export type ObservedContext = Pick<AppContext, 'db' | 'eventStore' | 'config' | 'healthChecks' | 'jobs' | 'projectorNames'>

/** The metrics of this process. `read` queries the stores. It omits a value that a store does not return in time. */
export function createMetrics(ctx: ObservedContext) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registry.registerMetric(webhookEvents)
  registry.registerMetric(unknownKinds)
  const calls = new Histogram({
    name: 'guiche_call_seconds',
    help: 'Duration of a call in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  const followers = followerGauges(registry)
  const rows = rowGauges(registry)
  const processes = processGauges(registry)
  return {
    contentType: registry.contentType,
    observeCall: (labels: { method: string; route: string; status: number }, seconds: number) => calls.observe(labels, seconds),
    async read(): Promise<string> {
      await Promise.all([followers(ctx), rows(ctx), processes(ctx)])
      return registry.metrics()
    },
  }
}

const labelled = (registry: Registry, name: string, help: string, label: string) =>
  new Gauge({ name, help, labelNames: [label], registers: [registry] })
const plain = (registry: Registry, name: string, help: string) => new Gauge({ name, help, registers: [registry] })

function followerGauges(registry: Registry) {
  const lag = labelled(registry, 'guiche_follower_lag', 'Positions between the head of the event store and a processor.', 'name')
  const age = labelled(registry, 'guiche_follower_age_seconds', 'Seconds since a processor last applied a page.', 'name')
  const parked = labelled(
    registry,
    'guiche_parked',
    'Streams that are parked for a processor, each at an event that cannot be applied.',
    'name',
  )
  return async (ctx: ObservedContext) => {
    const found = await orFallback<FollowerState[]>(readFollowers(ctx), [])
    for (const one of [lag, age, parked]) one.reset() // the values of the previous request are outdated
    for (const { name, lag: behind, parked: n, appliedAt } of found) {
      lag.set({ name }, behind)
      parked.set({ name }, n)
      age.set({ name }, (Date.now() - Date.parse(appliedAt)) / 1000)
    }
  }
}

function rowGauges(registry: Registry) {
  const waiting = labelled(registry, 'guiche_waiting', 'Waiting rows and jobs, by table.', 'table')
  const oldest = labelled(registry, 'guiche_waiting_seconds', 'Seconds that the oldest row that is due has waited, by table.', 'table')
  const byState = labelled(registry, 'guiche_connections', 'Connections of all companies, by state.', 'status')
  const down = labelled(
    registry,
    'guiche_connections_away',
    'Connections that are down although nobody disconnected them, by reason.',
    'reason',
  )
  const broken = labelled(registry, 'guiche_histories_broken', 'Tickets whose history failed verification, by reason.', 'reason')
  return async ({ db, jobs }: ObservedContext) => {
    const none = { standing: [], gone: [] }
    const [rows, jobsWaiting, brokenHistories, connections] = await Promise.all([
      orFallback(countWaiting(db), []),
      orFallback(jobs.countWaiting(), null),
      orFallback(countBroken(db), []),
      orFallback(countConnections(db), none),
    ])
    for (const one of [waiting, oldest, broken, byState, down]) one.reset()
    for (const { table, n, seconds } of rows) {
      waiting.set({ table }, Number(n))
      oldest.set({ table }, Number(seconds ?? 0))
    }
    if (jobsWaiting !== null) waiting.set({ table: 'jobs' }, jobsWaiting)
    for (const { reason, n } of brokenHistories) broken.set({ reason: reason ?? 'unknown' }, Number(n))
    for (const { state, n } of connections.standing) byState.set({ status: state }, Number(n))
    for (const { why, n } of connections.gone) down.set({ reason: why }, Number(n))
  }
}

function processGauges(registry: Registry) {
  const storeUp = labelled(registry, 'guiche_store_up', '1 while a store answers.', 'store')
  const workers = plain(registry, 'guiche_workers', 'Live workers of all processes.')
  const projectors = plain(registry, 'guiche_projectors', 'Projectors that some process runs.')
  const restored = plain(registry, 'guiche_restored', '1 while the workers of a restored installation wait for restore --go-live.')
  const anchor = plain(registry, 'guiche_anchor_age_seconds', 'Seconds since the newest anchor was made.')
  const diskFree = plain(registry, 'guiche_disk_free_bytes', 'Free bytes on the disk of DATA_DIR.')
  const diskSize = plain(registry, 'guiche_disk_size_bytes', 'Size of the disk of DATA_DIR.')
  const unsent = plain(registry, 'guiche_jobs_unsent', 'Jobs that this process could not add yet, because the job store is down.')
  return async (ctx: ObservedContext) => {
    const [unavailable, roles, anchorAge, disk] = await Promise.all([
      findUnavailableStores(ctx),
      orFallback(readRoleState(ctx), null),
      orFallback(readAnchorAge(ctx.db), null),
      orFallback(readDiskSpace(ctx.config.dataDir), null),
    ])
    for (const one of [workers, projectors, restored, anchor, diskFree, diskSize]) one.remove() // a gauge without labels would report 0
    for (const store of Object.keys(ctx.healthChecks)) storeUp.set({ store }, unavailable.includes(store) ? 0 : 1)
    if (roles) {
      workers.set(roles.workers)
      projectors.set(roles.projectors)
      restored.set(roles.isRestored ? 1 : 0)
    }
    if (anchorAge !== null) anchor.set(anchorAge)
    if (disk) {
      diskFree.set(disk.free)
      diskSize.set(disk.size)
    }
    unsent.set(ctx.jobs.countUnsent())
  }
}
