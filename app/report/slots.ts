import PQueue from 'p-queue'

/** Whole reports that this process reads at the same time, because each keeps a database connection. */
const mostReports = 2
const slots = new PQueue({ concurrency: mostReports })

/** Passes the items on as soon as a slot is free, and frees it at the end or when the consumer stops. */
export async function* inSlot<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const free = await new Promise<() => void>((resolve) => void slots.add(() => new Promise<void>((done) => resolve(done))))
  try {
    yield* items
  } finally {
    free()
  }
}
