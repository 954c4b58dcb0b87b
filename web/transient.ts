import { ApiError } from './api.ts'
import { Offline } from './http-transport.ts'

/** The line or the server was away; somebody's refusal stands until they ask again. */
export const isTransient = (failure: unknown): boolean =>
  failure instanceof Offline || (failure instanceof ApiError && failure.status >= 500)
/** Asked again after so long, by itself. */
export const againAfter = 5000
