import type { AcceptedResponse } from './contract.ts'

/** Default number of rows on a page (A-TICKET-15). */
export const pageSize = 20

/** Whether the answer is a 202: the command is stored, but the read models lag behind. */
export const isStored = (answer: unknown): answer is AcceptedResponse => (answer as Partial<AcceptedResponse> | undefined)?.stored === true
