import { untilLive } from '../backup/restored.ts'
import type { LongWorks } from '../bulk-operation/bulk-operations.ts'
import type { Channel } from '../channels/channel.ts'
import type { AppContext } from '../context.ts'
import { reactorProcessor } from '../event-store/reactor.ts'
import { runProcessor } from '../event-store/run-processor.ts'
import type { WorkerContext } from '../module.ts'
import { modulesFor } from '../modules.ts'
import { expiredCompanies } from '../plan/expired.ts'
import { onMoved } from '../scheduler/clock.ts'
import { deadlinesOf, fireDue } from '../scheduler/deadlines.ts'
import { keepLooking, type Recurring } from '../scheduler/recurring.ts'

const dueMs = 10_000

/** The worker role: reactions, timers, jobs, and what lasts, once the house is the one. Ends when `signal` does. */
export async function openWorker(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const { db, jobs } = ctx
  await untilLive(ctx, signal)
  if (signal.aborted) return
  const areas = modulesFor(ctx.config)
  const channels: Record<string, Channel> = Object.assign({}, ...areas.map((area) => area.channels?.(ctx)))
  const deadlines = deadlinesOf(areas.map((area) => area.deadlines ?? {}))
  const longWorks: LongWorks = Object.assign({}, ...areas.map((area) => area.bulkOperations))
  const works: WorkerContext = { ...ctx, channel: (provider) => channels[provider], longWorks }
  jobs.work(
    areas.flatMap((area) => area.jobs ?? []),
    works,
  )
  const lasting = areas.flatMap((area) => area.backgroundTasks ?? []).map((last) => last(works, signal))

  const due = async () => {
    while (!signal.aborted && (await fireDue(deadlines, ctx, ctx, { resting: await expiredCompanies(ctx) })) > 0);
  }
  const recurring: Recurring<AppContext>[] = [
    { name: 'ask for what is due', everyMs: dueMs, everywhere: true, run: due },
    ...areas.flatMap((area) => area.scheduledTasks ?? []),
  ]
  const unheard = onMoved(
    ctx.notifications,
    () => void due().catch((error) => ctx.logger.warn({ err: error }, 'what is due was not asked for')),
  )
  signal.addEventListener('abort', unheard, { once: true })
  const looking = recurring.map((one) => keepLooking(one, ctx, ctx, signal))

  const reactors = areas.flatMap((area) => area.reactors ?? [])
  await Promise.all(reactors.map((reactor) => runProcessor(reactorProcessor(reactor, ctx, db), ctx, signal)))
  await Promise.all([...lasting, ...looking])
}
