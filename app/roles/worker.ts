import { keepAnchors } from '../anchor/keep.ts'
import type { Channel } from '../channels/channel.ts'
import { switchboard } from '../channels/switchboard.ts'
import { follow } from '../eventlog/follower.ts'
import { passing } from '../eventlog/passing.ts'
import { reacting } from '../eventlog/reactor.ts'
import { walkSome } from '../history/chains.ts'
import type { House } from '../house.ts'
import { sweepUploads } from '../http/uploads.ts'
import { sweepHeldFiles } from '../message/held-files.ts'
import { deliver, type Deps as OutboxDeps, sweep } from '../message/outbox.ts'
import { moveLate } from '../queue/retire.ts'
import { sandboxProvider } from '../sandbox/provider.ts'
import { forgetMedia, ticketDeadlines, withdrawMedia } from '../ticket/jobs.ts'
import { attend } from '../ticket/reactions.ts'
import { fireDue } from '../work/deadlines.ts'

const sweepMs = 10_000
const dueMs = 10_000
const filesMs = 10 * 60_000
const walkMs = 60_000

/** The worker role: reactions, jobs, and the connections' journals. Ends when `signal` does. */
export async function openWorker(house: House, signal: AbortSignal): Promise<void> {
  const { db, settings, logger } = house
  const providers: Record<string, Channel> = settings.sandbox ? { sandbox: sandboxProvider(db) } : {}
  const deps: OutboxDeps = { ...house, channel: (provider) => providers[provider] }
  house.jobs.work([deliver], deps)
  house.jobs.work([forgetMedia, withdrawMedia], house)
  house.jobs.work([moveLate], house)

  const heard = switchboard(house, signal)
  const anchored = keepAnchors(house, signal)
  const due = async () => {
    while (!signal.aborted && (await fireDue(ticketDeadlines, house, house)) > 0);
  }
  const files = async () => {
    await sweepUploads(house.uploadDir)
    await sweepHeldFiles(house)
  }
  const quietly = (act: () => Promise<void>) => () =>
    void act().catch((error) => logger[passing(error) ? 'debug' : 'warn']({ err: error }, 'a look round failed'))
  const timers = [
    setInterval(
      quietly(() => sweep(house)),
      sweepMs,
    ),
    setInterval(quietly(due), dueMs),
    setInterval(quietly(files), filesMs),
    setInterval(
      quietly(async () => void (await walkSome(house))),
      walkMs,
    ),
  ]
  quietly(files)()
  await follow(reacting(attend, house, db), house, signal)
  for (const timer of timers) clearInterval(timer)
  await Promise.all([heard, anchored])
}
