import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { minuteMs } from '#domain/duration/rules.ts'
import { createSerializer } from '../concurrency/keyed-serializer.ts'

export type Question = { asks: 'type'; path: string } | { asks: 'type'; bytes: Uint8Array } | { asks: 'duration'; path: string }
export type Answer = string | number | null

/** Time limit of one file, once the thread has started. */
const timeLimitMs = 2000
const startLimitMs = 30_000
/** How long a file waits for earlier files; after that its answer is null. */
const waitLimitMs = 10_000
const idleMs = minuteMs
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }

/**
 * Inspects untrusted files in a worker thread, one at a time. A thread that exceeds the time limit is
 * terminated, and the answer is null (unknown).
 */
export function createInspector() {
  let thread: Promise<Worker> | null = null
  const questions = createSerializer()
  let idle: NodeJS.Timeout | undefined
  let lastId = 0

  function start(): Promise<Worker> {
    const worker = new Worker(new URL('./inspector-worker.ts', import.meta.url), { resourceLimits, execArgv: [] })
    worker.unref()
    const ended = (): void => {
      if (thread === started) thread = null
    }
    worker.on('error', ended)
    worker.once('exit', ended)
    const started = Promise.race([
      new Promise<Worker>((resolve, reject) => {
        worker.once('message', () => resolve(worker))
        worker.once('error', reject)
        worker.once('exit', () => reject(new Error('Inspector thread exited during startup')))
      }),
      sleep(startLimitMs, undefined, { ref: false }).then(() => Promise.reject(new Error('Inspector thread did not start in time'))),
    ])
    started.catch(() => void worker.terminate())
    return started
  }

  async function askThread(question: Question): Promise<Answer> {
    clearTimeout(idle)
    thread ??= start()
    const worker = await thread
    const id = ++lastId
    try {
      return await new Promise<Answer>((resolve) => {
        const timer = setTimeout(() => finish(null, true), timeLimitMs)
        const onMessage = (message: { id: number; answer: Answer }) => message.id === id && finish(message.answer)
        const onEnd = () => finish(null)
        function finish(answer: Answer, isLate = false): void {
          clearTimeout(timer)
          worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
          if (isLate) {
            thread = null
            void worker.terminate()
          }
          resolve(answer)
        }
        worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
        worker.postMessage({ id, ...question })
      })
    } finally {
      idle = setTimeout(() => void end(), idleMs).unref()
    }
  }

  async function end(): Promise<void> {
    const worker = thread
    thread = null
    await (await worker?.catch(() => null))?.terminate()
  }

  return {
    ask(question: Question): Promise<Answer> {
      const asked = performance.now()
      return questions.run(async () => (performance.now() - asked > waitLimitMs ? null : askThread(question).catch(() => null)))
    },
    end,
  }
}

const types = createInspector()
const durations = createInspector()

/** The MIME type that the content has, from a file or from its first bytes; null: unknown. */
export async function contentType(of: { path: string } | { bytes: Uint8Array }): Promise<string | null> {
  const answer = await types.ask({ asks: 'type', ...of })
  return typeof answer === 'string' ? answer : null
}

/** How long a recording lasts, in seconds with one decimal; null: unknown. */
export async function durationOf(path: string): Promise<number | null> {
  const answer = await durations.ask({ asks: 'duration', path })
  return typeof answer === 'number' ? answer : null
}
