import { Refusal } from '#domain/errors.ts'
import { Unavailable } from './event-store.ts'

type Failure = { code?: unknown; message?: string; syscall?: unknown } | null | undefined
const isOneOf = (codes: string) => {
  const known = new Set(codes.split(/\s+/))
  return (error: Failure) => typeof error?.code === 'string' && known.has(error.code)
}

/** Postgres ended the statement because of concurrent work: serialization failure, deadlock, lock timeout or statement timeout. */
export const isContention: (error: Failure) => boolean = isOneOf('40001 40P01 55P03 57014')

/** Postgres or the network is unavailable, out of resources, or in standby: codes of Postgres, then of Node. */
const unavailableCodes = isOneOf(`08000 08001 08003 08004 08006 08007 25006 53000 53100 53200 53300 53400 57P01 57P02 57P03 57P04 57P05
  ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN`)

/** The disk or the quota of its user is full. */
export const isDiskFull: (error: Failure) => boolean = isOneOf('ENOSPC EDQUOT')

/** Messages of client errors that carry no code, copied from the sources of each client. */
export const awayMessages: Record<'pg' | 'pg-pool' | 'ioredis', string[]> = {
  pg: [
    ...['timeout expired', 'Query read timeout', 'Connection terminated', 'Connection terminated unexpectedly'],
    ...['Client has encountered a connection error and is not queryable', 'Client was closed and is not queryable'],
  ],
  'pg-pool': ['timeout exceeded when trying to connect', 'Connection terminated due to connection timeout'],
  ioredis: ['Connection is closed.', 'Command timed out', 'Command aborted due to connection close'],
}
const messages = new Set(Object.values(awayMessages).flat())

/** The Unix socket of Postgres does not exist while the server is down. */
const isSocketMissing = (error: Failure) => error?.code === 'ENOENT' && error.syscall === 'connect'

export const isUnavailable = (error: Failure): boolean =>
  unavailableCodes(error) || isSocketMissing(error) || (error?.code === undefined && messages.has(error?.message ?? ''))

/** An error of a store, not of the request, so retry without limit. Any other error counts as a bug. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Refusal) return error.status === 503
  const failure = error as Failure
  return error instanceof Unavailable || isContention(failure) || isUnavailable(failure) || isDiskFull(failure)
}
