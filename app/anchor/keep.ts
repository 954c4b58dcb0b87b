import { minuteMs } from '#domain/duration/rules.ts'
import { abortableSleep } from '../concurrency/abortable-sleep.ts'
import { ignoreErrors } from '../concurrency/ignore-errors.ts'
import type { AppContext } from '../context.ts'
import { acquireProcessorLock } from '../event-store/run-processor.ts'
import { isTransient } from '../event-store/transient-errors.ts'
import { anchorAll, anchorProcessor } from './make.ts'
import { publishAll } from './publish.ts'

const everyMs = 10 * minuteMs
const pollMs = 15_000
const shutdownTimeoutMs = 3000

/** Makes anchors every ten minutes and once more at shutdown, in one process at a time. Ends when `signal` aborts. */
export async function keepAnchors(ctx: AppContext, signal: AbortSignal): Promise<void> {
  const began = Date.now()
  while (!signal.aborted) {
    const lockLost = new AbortController()
    const release = await acquireProcessorLock(anchorProcessor, ctx, signal, () => lockLost.abort())
    if (!release) return
    try {
      await rounds(ctx, began, AbortSignal.any([signal, lockLost.signal]))
      if (!lockLost.signal.aborted) await tryMakeAnchors(ctx, AbortSignal.timeout(shutdownTimeoutMs), (until) => anchorAll(ctx, until))
      if (!lockLost.signal.aborted) await publishAll(ctx, AbortSignal.timeout(shutdownTimeoutMs))
    } finally {
      await release()
    }
  }
}

async function rounds(ctx: AppContext, began: number, signal: AbortSignal): Promise<void> {
  for (let next = await due(ctx, began); !signal.aborted; await abortableSleep(pollMs, signal)) {
    if (Date.now() >= next && (await tryMakeAnchors(ctx, signal, (until) => anchorAll({ ...ctx, gently: true }, until))))
      next = Date.now() + everyMs
    await publishAll(ctx, signal)
  }
}

/** Ten minutes after the last anchors of any process. Without any, ten minutes after `began`, even if the lock was lost meanwhile. */
async function due({ db }: AppContext, began: number): Promise<number> {
  const last = db.selectFrom('checkpoint').select('appliedAt').where('name', '=', anchorProcessor).executeTakeFirst()
  const row = await ignoreErrors(last, 'without the last anchors the interval starts anew')
  return (row ? Date.parse(row.appliedAt) : began) + everyMs
}

/** Logs an error and returns false, so that the next poll retries. An abort is not logged as a failure. */
async function tryMakeAnchors({ logger }: AppContext, until: AbortSignal, act: (until: AbortSignal) => Promise<unknown>): Promise<boolean> {
  try {
    await act(until)
    return true
  } catch (error) {
    logger[until.aborted || isTransient(error) ? 'debug' : 'warn']({ err: error }, 'Anchors not made; retrying later')
    return false
  }
}
