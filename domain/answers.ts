import type { AcceptedResponse } from './contract.ts'

/** Rows a page has where nothing else is said (A-TICKET-15). */
export const pageSize = 20

/** Whether what came is said to be shown only in a moment. */
export const isStored = (answer: unknown): answer is AcceptedResponse => (answer as Partial<AcceptedResponse> | undefined)?.stored === true
