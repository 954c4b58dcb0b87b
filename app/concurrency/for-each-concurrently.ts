/**
 * Handles the items in order, at most `most` at once. Each error lets one item fewer run at once, so an outage ends the work soon and one bad
 * item does not. Rejects with one of the errors when nothing runs any more, so that a caller who tries again does not overlap with itself.
 */
export async function forEachConcurrently<T>(items: Iterable<T>, most: number, handle: (item: T) => Promise<unknown>): Promise<void> {
  const remaining = [...items].values()
  const handleNext = async () => {
    for (const item of remaining) await handle(item)
  }
  const runs = await Promise.allSettled(Array.from({ length: most }, handleNext))
  for (const run of runs) if (run.status === 'rejected') throw run.reason
}
