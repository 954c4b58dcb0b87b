import { ApiError } from './api.ts'
import { Offline } from './http-transport.ts'

/** The network or the server was unavailable. A refusal stays until the user retries. */
export const isTransient = (failure: unknown): boolean =>
  failure instanceof Offline || (failure instanceof ApiError && failure.status >= 500)
/** Milliseconds before an automatic retry. */
export const againAfter = 5000
