/** Waits for work whose failure changes nothing, and returns undefined if it fails. `reason` says why the error may be ignored. */
export const ignoreErrors = <T>(work: Promise<T>, reason: string): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    console.debug(reason, error)
    return undefined
  })
