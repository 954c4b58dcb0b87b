type IdempotentRetry = <T>(what: unknown, run: (commandId: string) => Promise<T>) => Promise<T>

/**
 * Repeats a failed request with the same command id, so the server does not run a command twice whose answer was
 * lost.
 */
export function createIdempotentRetry(): IdempotentRetry {
  const failed = new Map<string, string>()
  return async (what, run) => {
    const key = JSON.stringify(what)
    const commandId = failed.get(key) ?? crypto.randomUUID()
    failed.set(key, commandId)
    const answer = await run(commandId)
    failed.delete(key)
    return answer
  }
}
