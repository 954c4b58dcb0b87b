import { ErrorType, WrongExpectedVersionError } from '@eventstore/db-client'
import { ConcurrencyConflict, EventTooLarge, Unavailable } from '#app/event-store/event-store.ts'

const transientTypes = new Set<unknown>([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.TIMEOUT,
  ErrorType.NOT_LEADER,
])
// CANCELLED, DEADLINE_EXCEEDED, ABORTED, UNAVAILABLE: some client calls throw the plain gRPC error.
const transientCodes = new Set<unknown>([1, 4, 10, 14])
/** Beginnings of messages without a code: failed discovery, a replaced channel, a call that the server aborted. */
const transientMessages = ['Failed to discover after ', 'Channel has been shut down', '13 INTERNAL: Received RST_STREAM with code ']

/** Whether the call may succeed if it is repeated. */
export function isTransientEsdbError(error: unknown): boolean {
  const { type, code, message = '' } = error as { type?: string; code?: number; message?: string }
  return (
    error instanceof Unavailable ||
    transientTypes.has(type) ||
    transientCodes.has(code) ||
    transientMessages.some((beginning) => message.startsWith(beginning))
  )
}

/** Returns the error of the port for an error of an append. */
export function appendError(error: unknown, stream: string): unknown {
  if (error instanceof WrongExpectedVersionError) {
    const { actualVersion } = error
    return new ConcurrencyConflict(stream, typeof actualVersion === 'bigint' ? actualVersion : 'none')
  }
  if ((error as { type?: string }).type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) return new EventTooLarge((error as Error).message)
  return error
}
