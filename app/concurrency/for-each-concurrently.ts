/** Handles the items in order, at most `most` at once. Rejects with the first error, and still handles the other items. */
export async function forEachConcurrently<T>(items: Iterable<T>, most: number, handle: (item: T) => Promise<unknown>): Promise<void> {
  const remaining = [...items].values()
  const handleNext = async () => {
    for (const item of remaining) await handle(item)
  }
  await Promise.all(Array.from({ length: most }, handleNext))
}
