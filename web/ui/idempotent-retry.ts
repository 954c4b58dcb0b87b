type IdempotentRetry = <T>(what: unknown, run: (commandId: string) => Promise<T>) => Promise<T>

/** The same asked again after a failure is the same command: what the server did, and nobody heard of, it does not do twice. */
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
