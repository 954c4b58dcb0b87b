import { Refusal } from '#domain/errors.ts'
import { Unavailable } from './event-store.ts'

type Failure = { code?: unknown; message?: string; syscall?: unknown } | null | undefined
const isOneOf = (codes: string) => {
  const known = new Set(codes.split(/\s+/))
  return (error: Failure) => typeof error?.code === 'string' && known.has(error.code)
}

/** Postgres ended it because of what others hold or do: a race, a deadlock, a lock, too long a wait. */
export const isContention: (error: Failure) => boolean = isOneOf('40001 40P01 55P03 57014')

/** What says that Postgres, or the way to it, is away, is full, or stands by for another: its own codes, then those of Node. */
const awayCodes = isOneOf(`08000 08001 08003 08004 08006 08007 25006 53000 53100 53200 53300 53400 57P01 57P02 57P03 57P04 57P05
  ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN`)

/** The same, where a client throws a plain error without a code: each as it stands in its sources. */
export const awayMessages: Record<'pg' | 'pg-pool' | 'ioredis', string[]> = {
  pg: [
    ...['timeout expired', 'Query read timeout', 'Connection terminated', 'Connection terminated unexpectedly'],
    ...['Client has encountered a connection error and is not queryable', 'Client was closed and is not queryable'],
  ],
  'pg-pool': ['timeout exceeded when trying to connect', 'Connection terminated due to connection timeout'],
  ioredis: ['Connection is closed.', 'Command timed out', 'Command aborted due to connection close'],
}
const messages = new Set(Object.values(awayMessages).flat())

/** Where Postgres listens on a socket, that is no file while it is away. */
const noSocket = (error: Failure) => error?.code === 'ENOENT' && error.syscall === 'connect'

export const isUnavailable = (error: Failure): boolean =>
  awayCodes(error) || noSocket(error) || (error?.code === undefined && messages.has(error?.message ?? ''))

/** A fault of a store, not of what was asked: it may be asked again for as long as it takes. Whatever is not named here is a fault of ours. */
export const isTransient = (error: any): boolean =>
  error instanceof Unavailable || (error instanceof Refusal && error.status === 503) || isContention(error) || isUnavailable(error)
