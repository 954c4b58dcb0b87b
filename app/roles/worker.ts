import { untilLive } from '../backup/restored.ts'
import type { LongWorks } from '../bulk-operation/bulk-operations.ts'
import type { Channel } from '../channels/channel.ts'
import { driverOf, enabledProviders } from '../channels/providers.ts'
import type { AppContext } from '../context.ts'
import { reactorProcessor } from '../event-store/reactor.ts'
import { runProcessor } from '../event-store/run-processor.ts'
import type { WorkerContext } from '../module.ts'
import { modulesFor } from '../modules.ts'
import { expiredCompanies } from '../plan/expired.ts'
import { onMoved } from '../scheduler/clock.ts'
import { deadlinesOf, fireDue } from '../scheduler/deadlines.ts'
import { type Recurring, runRecurring } from '../scheduler/recurring.ts'

const dueMs = 10_000

/** The worker role: reactors, deadlines, jobs, scheduled and background tasks, once the store is live. Ends when `signal` aborts. */
export async function openWorker(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const { db, jobs } = ctx
  await untilLive(ctx, signal)
  if (signal.aborted) return
  const modules = modulesFor(ctx.config)
  const channels: Record<string, Channel> = Object.fromEntries(
    enabledProviders(ctx.config).map((name) => [name, driverOf(name, ctx.config)!.createAdapter(ctx)]),
  )
  const deadlines = deadlinesOf(modules.map((area) => area.deadlines ?? {}))
  const longWorks: LongWorks = Object.assign({}, ...modules.map((area) => area.bulkOperations))
  const workerContext: WorkerContext = { ...ctx, channel: (provider) => channels[provider], longWorks }
  jobs.work(
    modules.flatMap((area) => area.jobs ?? []),
    workerContext,
  )
  const backgroundTasks = modules.flatMap((area) => area.backgroundTasks ?? []).map((last) => last(workerContext, signal))

  const due = async () => {
    while (!signal.aborted && (await fireDue(deadlines, ctx, ctx, { resting: await expiredCompanies(ctx) })) > 0);
  }
  const recurring: Recurring<AppContext>[] = [
    { name: 'ask for what is due', everyMs: dueMs, everywhere: true, run: due },
    ...modules.flatMap((area) => area.scheduledTasks ?? []),
  ]
  const stopListening = onMoved(
    ctx.notifications,
    () => void due().catch((error) => ctx.logger.warn({ err: error }, 'Due deadlines could not be fired')),
  )
  signal.addEventListener('abort', stopListening, { once: true })
  const scheduledTasks = recurring.map((one) => runRecurring(one, ctx, ctx, signal))

  const reactors = modules.flatMap((area) => area.reactors ?? [])
  await Promise.all(reactors.map((reactor) => runProcessor(reactorProcessor(reactor, ctx, db), ctx, signal)))
  await Promise.all([...backgroundTasks, ...scheduledTasks])
}
