import { debuglog } from 'node:util'

const log = debuglog('ignored-errors')

/**
 * Waits for work whose failure changes nothing, and returns undefined if it fails. `reason` says why the error may be ignored; it is printed
 * with the error if NODE_DEBUG contains `ignored-errors`.
 */
export const ignoreErrors = <T>(work: PromiseLike<T>, reason: string): Promise<T | undefined> =>
  Promise.resolve(work).catch((error: unknown) => {
    log('%s: %s', reason, error)
    return undefined
  })
