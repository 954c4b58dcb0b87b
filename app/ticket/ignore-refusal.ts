import { Refusal } from '#domain/errors.ts'

const ignoring =
  (isIgnored: (refusal: Refusal) => boolean) =>
  (error: unknown): null => {
    if (error instanceof Refusal && isIgnored(error)) return null
    throw error
  }

/** A handler for `catch`: returns null for a refusal, because the ticket has changed in the meantime, and rethrows any other error. */
export const ignoreRefusal = ignoring(() => true)
/** The same, unless a retry may succeed. */
export const ignoreFinalRefusal = ignoring(({ status }) => status < 500)
/** The same, only if the ticket was deleted in the meantime. */
export const ignoreMissingTicket = ignoring(({ code }) => code === 'ERR_NO_TICKET_FOUND')
