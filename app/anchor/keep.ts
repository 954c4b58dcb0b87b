import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from '../context.ts'
import { acquireProcessorLock } from '../event-store/run-processor.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { anchorAll, turn } from './make.ts'
import { publishAll } from './publish.ts'

const everyMs = 10 * 60_000
const lookMs = 15_000
const partingMs = 3000

/** Anchors every ten minutes and once more at the end, one process at a time. Ends when `signal` does. */
export async function keepAnchors(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const began = Date.now()
  while (!signal.aborted) {
    const alone = new AbortController()
    const release = await acquireProcessorLock(turn, ctx, signal, () => alone.abort())
    if (!release) return
    try {
      await rounds(ctx, began, AbortSignal.any([signal, alone.signal]))
      if (!alone.signal.aborted) await quietly(ctx, AbortSignal.timeout(partingMs), (until) => anchorAll(ctx, until))
      if (!alone.signal.aborted) await publishAll(ctx, AbortSignal.timeout(partingMs))
    } finally {
      await release()
    }
  }
}

async function rounds(ctx: AppContext, began: number, signal: AbortSignal): Promise<void> {
  for (let next = await due(ctx, began); !signal.aborted; await sleep(lookMs, undefined, { signal }).catch(() => undefined)) {
    if (Date.now() >= next && (await quietly(ctx, signal, (until) => anchorAll({ ...ctx, gently: true }, until))))
      next = Date.now() + everyMs
    await publishAll(ctx, signal)
  }
}

/** Ten minutes behind the last time, whichever process that was; the first behind `began`, however often the turn was lost since. */
async function due({ db }: AppContext, began: number): Promise<number> {
  const row = await db
    .selectFrom('checkpoint')
    .select('appliedAt')
    .where('name', '=', turn)
    .executeTakeFirst()
    .catch(() => undefined)
  return (row ? Date.parse(row.appliedAt) : began) + everyMs
}

/** What goes wrong is told, and tried again at the next look; that it was told to stop is nothing wrong. */
async function quietly({ logger }: AppContext, until: AbortSignal, act: (until: AbortSignal) => Promise<unknown>): Promise<boolean> {
  try {
    await act(until)
    return true
  } catch (error) {
    logger[until.aborted || isTransient(error) ? 'debug' : 'warn']({ err: error }, 'no anchor could be made; it is tried again')
    return false
  }
}
