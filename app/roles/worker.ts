import { untilLive } from '../backup/restored.ts'
import type { LongWorks } from '../bulk-operation/bulk-operations.ts'
import type { Channel } from '../channels/channel.ts'
import type { House } from '../context.ts'
import { reacting } from '../event-store/reactor.ts'
import { follow } from '../event-store/run-processor.ts'
import type { Works } from '../module.ts'
import { areasOf } from '../modules.ts'
import { expiredCompanies } from '../plan/expired.ts'
import { onMoved } from '../scheduler/clock.ts'
import { deadlinesOf, fireDue } from '../scheduler/deadlines.ts'
import { keepLooking, type Recurring } from '../scheduler/recurring.ts'

const dueMs = 10_000

/** The worker role: reactions, timers, jobs, and what lasts, once the house is the one. Ends when `signal` does. */
export async function openWorker(house: House, signal: AbortSignal): Promise<void> {
  const { db, jobs } = house
  await untilLive(house, signal)
  if (signal.aborted) return
  const areas = areasOf(house.settings)
  const channels: Record<string, Channel> = Object.assign({}, ...areas.map((area) => area.channels?.(house)))
  const deadlines = deadlinesOf(areas.map((area) => area.deadlines ?? {}))
  const longWorks: LongWorks = Object.assign({}, ...areas.map((area) => area.longWorks))
  const works: Works = { ...house, channel: (provider) => channels[provider], longWorks }
  jobs.work(
    areas.flatMap((area) => area.jobs ?? []),
    works,
  )
  const lasting = areas.flatMap((area) => area.lasting ?? []).map((last) => last(works, signal))

  const due = async () => {
    while (!signal.aborted && (await fireDue(deadlines, house, house, { resting: await expiredCompanies(house) })) > 0);
  }
  const recurring: Recurring<House>[] = [
    { name: 'ask for what is due', everyMs: dueMs, everywhere: true, run: due },
    ...areas.flatMap((area) => area.recurring ?? []),
  ]
  const unheard = onMoved(house.ears, () => void due().catch((error) => house.logger.warn({ err: error }, 'what is due was not asked for')))
  signal.addEventListener('abort', unheard, { once: true })
  const looking = recurring.map((one) => keepLooking(one, house, house, signal))

  const reactors = areas.flatMap((area) => area.reactors ?? [])
  await Promise.all(reactors.map((reactor) => follow(reacting(reactor, house, db), house, signal)))
  await Promise.all([...lasting, ...looking])
}
