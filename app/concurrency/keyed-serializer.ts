export type KeyedSerializer<K> = ReturnType<typeof createKeyedSerializer<K>>

/**
 * Runs tasks that share a key one after another, in the order of their calls. Tasks without a common key run in parallel. A task that
 * fails rejects only its own promise. A key is forgotten when its last task has ended.
 */
export function createKeyedSerializer<K>() {
  /** The end of the last task of each key. */
  const tails = new Map<K, Promise<void>>()
  return {
    run<T>(keys: readonly K[], task: () => Promise<T>): Promise<T> {
      const result = Promise.all(keys.map((key) => tails.get(key))).then(task)
      const forget = () => {
        for (const key of keys) if (tails.get(key) === tail) tails.delete(key)
      }
      const tail = result.then(forget, forget)
      for (const key of keys) tails.set(key, tail)
      return result
    },
    /** Whether a task of this key has not ended. */
    has: (key: K): boolean => tails.has(key),
    /** Resolves when every task that was added before has ended. */
    idle: async (): Promise<void> => void (await Promise.all(tails.values())),
  }
}

/** Runs tasks one after another, in the order of the calls. A task that fails rejects only its own promise. */
export function createSerializer() {
  const { run, idle } = createKeyedSerializer<null>()
  return { run: <T>(task: () => Promise<T>): Promise<T> => run([null], task), idle }
}
