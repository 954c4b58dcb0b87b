import { Refusal } from '#domain/errors.ts'
import { Unfoldable } from '#projections/projector.ts'
import { Unavailable } from './eventlog.ts'

type Failure = { code?: unknown; name?: string; message?: string } | null | undefined
const codeOf = (error: Failure) => (typeof error?.code === 'string' ? error.code : '')

/** Postgres ended it because of what others hold or do: a lock, a deadlock, a race, too long a wait. */
export const contended = (error: Failure): boolean => /^(40|55P03|57014)/.test(codeOf(error))

/** Postgres, or the way to it, is away, or stands by for another. */
export const away = (error: Failure): boolean =>
  /^(08|25006|53|57P|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(codeOf(error)) ||
  (codeOf(error) === '' && /connection terminated|not queryable|timeout exceeded|read timeout|timeout expired/i.test(error?.message ?? ''))

/** A fault of a store, not of what was asked: it may be asked again for as long as it takes. */
export const passing = (error: any): boolean =>
  error instanceof Unavailable ||
  (error instanceof Refusal && error.status >= 500) ||
  contended(error) ||
  away(error) ||
  (!(error instanceof Unfoldable) && // it names its event, which may be a TicketClosed
    /terminated|timeout|Unavailable|closed|connection error/i.test(`${error?.name} ${error?.message}`))
